import { expect, it } from "vitest";
import { parsePs } from "../../src/process/processes-macos.js";

const output = `
  501   501   501 S    /bin/zsh HOME=/Users/me HARNESS_RUN_ID=run-1
  502   500   501 S+   /usr/local/bin/node server.js PATH=/bin
  503   503   501 Z    (node)
  504   504     0 Ss   /sbin/launchd HARNESS_RUN_ID=run-1
  505   505   501 S    sleep 5 HARNESS_RUN_ID=run-10
`;

it("finds what is of the run by marker and by group, and nothing of others", () => {
  expect(parsePs(output, { group: 500, runId: "run-1" }, 501)).toEqual([
    { pid: 501, group: 501, name: "zsh" },
    { pid: 502, group: 500, name: "node" },
  ]);
});
