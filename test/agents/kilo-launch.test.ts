import { expect, it } from "vitest";
import { kilo } from "../../src/agents/kilo/definition.js";
import { launchKilo } from "../../src/agents/kilo/launch.js";
import { findAgent } from "../../src/agents/registry.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

it("writes every prompt to standard input, and keeps the work in its own process", () => {
  for (const prompt of ["Fix the failing test", "--help", longPrompt]) {
    expect(launchKilo(launchTask({ prompt }))).toEqual({
      args: ["run", "--format", "json", "--thinking", "--auto"],
      env: { KILO_NO_DAEMON: "1" },
      stdin: prompt,
    });
  }
});

it("passes model, session and extra arguments on", () => {
  const task = launchTask({ model: "kilo/auto", resume: "ses_1", extraArgs: ["--variant", "high"] });
  expect(launchKilo(task).args.slice(5)).toEqual([
    ...["--model", "kilo/auto", "--session", "ses_1", "--variant", "high"],
  ]);
});

it("denies whatever writes or runs in a read-only run, and grants nothing that is asked for", () => {
  const { args, env } = launchKilo(launchTask({ permissions: "read-only" }));
  expect(args).toEqual(["run", "--format", "json", "--thinking", "--agent", "plan"]);
  const rules = JSON.parse(env?.["KILO_PERMISSION"] ?? "{}");
  expect(rules).toMatchObject({ bash: "deny", edit: "deny", background_process: "deny" });
  expect(rules).not.toHaveProperty("*");
});

it("is found by every spelling of its name", () => {
  for (const name of ["kilo", "Kilo Code", "kilocode", "kilo-code", "@kilocode/cli"])
    expect(findAgent(name)).toBe(kilo);
});
