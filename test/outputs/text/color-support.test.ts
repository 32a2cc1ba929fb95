import { describe, expect, it } from "vitest";
import { hasColorSupport } from "../../../src/outputs/text/color-support.js";

describe("colours", () => {
  it.each<[string, Record<string, string>, boolean, boolean]>([
    ["on a terminal", {}, true, true],
    ["in a pipe", {}, false, false],
    ["with NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["with an empty NO_COLOR", { NO_COLOR: "" }, true, true],
    ["on a dumb terminal", { TERM: "dumb" }, true, false],
    ["with FORCE_COLOR in a pipe", { FORCE_COLOR: "1" }, false, true],
    ["with FORCE_COLOR and NO_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    ["with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
    ["with FORCE_COLOR=false", { FORCE_COLOR: "false" }, true, false],
  ])("%s", (_name, env, isTerminal, expected) => {
    expect(hasColorSupport({ env, isTerminal })).toBe(expected);
  });
});
