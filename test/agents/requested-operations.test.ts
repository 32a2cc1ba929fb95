import { expect, it } from "vitest";
import { toRequested } from "../../src/agents/frame/operation-drafts.js";
import { shellOperations } from "../../src/agents/shared/tool-table.js";

it.each(["cat .env", "grep -r key . | head", "ls; cat a b", "npm test"])(
  "a request for `%s` shows the whole command, although it may only read",
  (command) => {
    const operations = shellOperations(`bash -lc '${command}'`, {
      base: "/repo",
      workingDirectory: "/repo/x",
    });
    expect(toRequested(operations)).toEqual([{ type: "command", command, workingDirectory: "/repo/x" }]);
  },
);

it("a request for a file shows the file", () => {
  expect(toRequested([{ type: "read", path: "/a" }])).toEqual([{ type: "read", path: "/a" }]);
});
