import { describe, expect, it } from "vitest";
import { builtInModels } from "../../src/models/built-in.js";
import { resolveModel, suggestModel } from "../../src/models/resolve-model.js";
import { layer } from "./layers.js";

const layers = [
  layer("project", { fast: { claude: "p-claude" } }),
  layer("user", { fast: { claude: "u-claude", codex: "u-codex" } }),
  layer("registry", { fast: { codex: "r-codex", pi: "r/pi" }, new: { claude: "r-new" } }),
  layer("built-in", { opus: { claude: "opus" } }, { description: "the big one" }),
];

describe("a name for a model", () => {
  it("is looked up in the built-in names by default", () => {
    expect(resolveModel("opus", "opencode")).toEqual(resolveModel("opus", "opencode", [builtInModels]));
    expect(resolveModel("opus", "opencode")).toMatchObject({ kind: "resolved", from: "built-in" });
  });

  it.each([
    ["fast", "claude", "p-claude", "project"],
    ["fast", "codex", "u-codex", "user"],
    ["fast", "pi", "r/pi", "registry"],
    ["new", "claude", "r-new", "registry"],
    ["opus", "claude", "opus", "built-in"],
  ])("%s is for %s what the first layer that knows it says: %s", (name, agent, id, from) => {
    expect(resolveModel(name, agent, layers)).toMatchObject({ kind: "resolved", name, id, from });
  });

  it("without an id for the agent is passed on unchanged, with the agents that have one", () => {
    expect(resolveModel("fast", "goose", layers)).toEqual({
      kind: "no-mapping",
      name: "fast",
      id: "fast",
      agents: ["claude", "codex", "pi"],
    });
  });

  it("that is unknown is passed on unchanged", () => {
    for (const name of ["provider/own-id", "m", "", "constructor", "__proto__"])
      expect(resolveModel(name, "claude", layers)).toEqual({ kind: "passthrough", name, id: name });
  });

  it("is case-insensitive", () => {
    expect(resolveModel("Opus", "claude", layers)).toMatchObject({ kind: "resolved", id: "opus" });
  });

  it("means the same to a custom agent as to the agent it is based on", () => {
    expect(resolveModel("fast", ["mine", "claude"], layers).id).toBe("p-claude");
    const own = [layer("project", { fast: { mine: "m-1" } }), ...layers];
    expect(resolveModel("fast", ["mine", "claude"], own).id).toBe("m-1");
  });

  it("has a description", () => {
    expect(resolveModel("opus", "claude", layers)).toMatchObject({ description: "the big one" });
  });

  it("is suggested for a typo, if the agent has it", () => {
    expect(suggestModel("opsu", ["claude"], [builtInModels])).toBe('; did you mean "opus"?');
    expect(suggestModel("opsu", ["codex"], [builtInModels])).toBe("");
  });
});
