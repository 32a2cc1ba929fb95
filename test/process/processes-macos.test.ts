import { expect, it } from "vitest";
import { parsePs } from "../../src/process/processes-macos.js";

const output = `
  500     1   507   501 S    /bin/sh HARNESS_RUN_MARKS=harness-run=run-1;harness-run=run-2;
  501     1   501   501 S    /bin/zsh HOME=/Users/me HARNESS_RUN_MARKS=harness-run=run-1;
  502     1   500   501 S+   /usr/local/bin/node server.js PATH=/bin
  503   502   503   501 S    sleep 5
  504   502   504   501 Z    (node)
  505     1   505     0 Ss   /sbin/launchd HARNESS_RUN_MARKS=harness-run=run-1;
  507   502   507     0 S    /usr/bin/su nobody
  506     1   506   501 S    sleep 5 HARNESS_RUN_MARKS=harness-run=run-10;
`;

it("finds the processes of a run by mark, group and descent, whoever owns them, and no others", () => {
  const found = parsePs(output, { group: 500, runId: "run-1", known: [] }, 501);
  expect(found.map(({ pid, name }) => [pid, name])).toEqual([
    [500, "sh"],
    [501, "zsh"],
    [502, "node"],
    [503, "sleep"],
    [507, "su"],
  ]);
});
