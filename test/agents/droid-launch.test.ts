import { describe, expect, it } from "vitest";
import { droid } from "../../src/agents/droid/definition.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const base = ["exec", "--output-format", "stream-json"];

describe("launching Droid", () => {
  it("skips every permission, which it cannot ask for", () => {
    expect(droid.launch(launchTask())).toEqual({
      args: [...base, "--skip-permissions-unsafe", "--", "Fix the failing test"],
    });
  });

  it("passes every option on, and gives a read-only run the tools that read", () => {
    const { args } = droid.launch(
      launchTask({
        model: "gpt-5.5",
        permissions: "read-only",
        appendSystemPrompt: "- be kind",
        resume: "cc55c044",
        extraArgs: ["--reasoning-effort=high"],
      }),
    );
    expect(args).toEqual([
      ...base,
      ...["--model", "gpt-5.5"],
      ...["--only-tools", "Read,LS,Grep,Glob"],
      "--append-system-prompt=- be kind",
      "--session-id=cc55c044",
      "--reasoning-effort=high",
      ...["--", "Fix the failing test"],
    ]);
  });

  it.each(["-x is a flag", "--skip-permissions-unsafe", "help"])(
    "keeps %j from being read as a flag",
    (prompt) => {
      expect(droid.launch(launchTask({ prompt })).args.slice(-2)).toEqual(["--", prompt]);
    },
  );

  it("writes a long prompt to standard input, and only there", () => {
    const { args, stdin } = droid.launch(launchTask({ prompt: longPrompt }));
    expect(stdin).toBe(longPrompt);
    expect(args).not.toContain("--");
  });

  it("is stopped by a signal that it cannot catch, since it goes on after any other", () => {
    expect(droid.traits.stopSignal).toBe("SIGKILL");
  });
});
