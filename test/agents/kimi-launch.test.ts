import { describe, expect, it } from "vitest";
import { kimi } from "../../src/agents/kimi/definition.js";
import { HarnessError } from "../../src/errors.js";
import { launchTask, longPrompt } from "../support/launch-task.js";

const base = ["--output-format", "stream-json"];
const session = "session_f7669086-3f3f-4ef9-82fe-63e971e0d17c";

describe("launching Kimi", () => {
  it("gives the prompt as an argument, since it reads it from nowhere else", () => {
    expect(kimi.launch(launchTask())).toEqual({ args: [...base, "--prompt=Fix the failing test"] });
  });

  it("passes model, session and extra arguments on, and knows the session from the start", () => {
    const task = launchTask({ model: "scripted", resume: session, extraArgs: ["--add-dir", "/lib"] });
    expect(kimi.launch(task)).toEqual({
      args: [
        ...base,
        ...["--model", "scripted"],
        `--session=${session}`,
        ...["--add-dir", "/lib"],
        "--prompt=Fix the failing test",
      ],
      sessionId: session,
    });
  });

  it.each(["-x is a flag", "--yolo", "login"])("keeps %j from being read as a flag", (prompt) => {
    expect(kimi.launch(launchTask({ prompt })).args.at(-1)).toBe(`--prompt=${prompt}`);
  });

  it("gives a long prompt as an argument as long as the system allows it, and refuses a longer one", () => {
    expect(kimi.launch(launchTask({ prompt: longPrompt })).args.at(-1)).toBe(`--prompt=${longPrompt}`);
    const launch = () => kimi.launch(launchTask({ prompt: "é".repeat(66_000) }));
    expect(launch).toThrow(HarnessError);
    expect(launch).toThrow(/too long for Kimi/);
  });

  it("cannot be kept from writing, so read-only is not offered", () => {
    expect(kimi.capabilities.readOnly).toBe(false);
  });
});
