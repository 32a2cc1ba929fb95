import { expect, it } from "vitest";
import { createEnvironment, nestingVariables } from "../../src/process/environment.js";

const inherited = {
  HOME: "/home/me",
  GONE: undefined,
  ...Object.fromEntries(nestingVariables.map((name) => [name, "1"])),
  HARNESS_TRUST: "1",
  HARNESS_QUEUE: "redis://:secret@localhost:6379",
  HARNESS_VIEW_TOKEN: "secret",
};

it("strips what breaks nesting and what would give the agent more rights, and marks the run", () => {
  expect(createEnvironment(inherited, { runId: "r-1", cwd: "/repo" })).toEqual({
    HOME: "/home/me",
    PWD: "/repo",
    HARNESS_RUN_ID: "r-1",
    HARNESS_RUN_MARKS: "harness-run=r-1;",
  });
});

it("prefers the user's variables to the launcher's, and these to inherited ones", () => {
  const environment = createEnvironment(inherited, {
    runId: "r-1",
    cwd: "/repo",
    launch: { HOME: "/launch", IS_SANDBOX: "1" },
    task: { IS_SANDBOX: "0", CLAUDECODE: "mine", HARNESS_RUN_ID: "not yours" },
  });
  expect(environment).toEqual({
    HOME: "/launch",
    PWD: "/repo",
    IS_SANDBOX: "0",
    CLAUDECODE: "mine",
    HARNESS_RUN_ID: "r-1",
    HARNESS_RUN_MARKS: "harness-run=r-1;",
  });
});

it("keeps the marks of the outer runs", () => {
  const outer = createEnvironment({}, { runId: "outer", cwd: "/repo" });
  expect(createEnvironment(outer, { runId: "inner", cwd: "/repo/part" })).toEqual({
    PWD: "/repo/part",
    HARNESS_RUN_ID: "inner",
    HARNESS_RUN_MARKS: "harness-run=outer;harness-run=inner;",
  });
});
