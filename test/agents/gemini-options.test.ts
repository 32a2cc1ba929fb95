import { describe, expect, it } from "vitest";
import { gemini } from "../../src/agents/gemini/definition.js";
import { launchTask } from "../support/launch-task.js";

describe("options of Gemini CLI", () => {
  it("allows some tools with a policy that denies all others", () => {
    const { args, files = {} } = gemini.launch(launchTask({ allowedTools: ["read_file", 'a"b'] }));
    expect(args.join(" ")).toContain("--policy /run/tools.toml");
    expect(files["tools.toml"]).toBe(
      [
        '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 998\n',
        '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 999\n',
        '[[rule]]\ntoolName = "a\\"b"\ndecision = "allow"\npriority = 999\n',
      ].join("\n"),
    );
  });

  it("does not open a read-only run with a list of tools", () => {
    const task = launchTask({ allowedTools: ["write_file"], permissions: "read-only" });
    expect(() => gemini.launch(task)).toThrow(expect.objectContaining({ code: "unsupported_option" }));
  });
});
