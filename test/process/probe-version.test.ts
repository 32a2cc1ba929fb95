import { describe, expect, it } from "vitest";
import { versionIn } from "../../src/process/probe-version.js";

describe("the version in what a program prints", () => {
  it.each([
    ["2.1.197 (Claude Code)\n", "2.1.197"],
    ["codex-cli 0.166.0", "0.166.0"],
    ["v1.2.3", "1.2.3"],
    ["bob 1.0.4", "1.0.4"],
    [" 1.52.0\n", "1.52.0"],
    ["GitHub Copilot CLI 1.0.102.\nCommit: 3f2", "1.0.102"],
    ["opencode/1.18.33 linux", "1.18.33"],
    ["0.3.0-beta.2", "0.3.0-beta.2"],
    ["", undefined],
    ["no version here", undefined],
  ])("%j is %s", (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});
