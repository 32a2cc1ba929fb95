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
  it("is looked for among those that come with the package, when no others are given", () => {
    expect(resolveModel("opus", "opencode")).toEqual(resolveModel("opus", "opencode", [builtInModels]));
    expect(resolveModel("opus", "opencode")).toMatchObject({ kind: "resolved", from: "built-in" });
  });

  it.each([
    ["fast", "claude", "p-claude", "project"],
    ["fast", "codex", "u-codex", "user"],
    ["fast", "pi", "r/pi", "registry"],
    ["new", "claude", "r-new", "registry"],
    ["opus", "claude", "opus", "built-in"],
  ])("%s is for %s what the strongest layer that knows it says: %s", (name, agent, id, from) => {
    expect(resolveModel(name, agent, layers)).toMatchObject({ kind: "resolved", name, id, from });
  });

  it("that has no id for the agent is handed over as it is, and says who has one", () => {
    expect(resolveModel("fast", "goose", layers)).toEqual({
      kind: "no-mapping",
      name: "fast",
      id: "fast",
      agents: ["claude", "codex", "pi"],
    });
  });

  it("that nobody knows is handed over as it is", () => {
    for (const name of ["provider/own-id", "m", "", "constructor", "__proto__"])
      expect(resolveModel(name, "claude", layers)).toEqual({ kind: "passthrough", name, id: name });
  });

  it("is the same in capitals", () => {
    expect(resolveModel("Opus", "claude", layers)).toMatchObject({ kind: "resolved", id: "opus" });
  });

  it("means to an agent of one's own what it means to the agent whose language it speaks", () => {
    expect(resolveModel("fast", ["mine", "claude"], layers).id).toBe("p-claude");
    const own = [layer("project", { fast: { mine: "m-1" } }), ...layers];
    expect(resolveModel("fast", ["mine", "claude"], own).id).toBe("m-1");
  });

  it("tells what it stands for", () => {
    expect(resolveModel("opus", "claude", layers)).toMatchObject({ description: "the big one" });
  });

  it("is suggested for a typo, if the agent has it", () => {
    expect(suggestModel("opsu", ["claude"], [builtInModels])).toBe('; did you mean "opus"?');
    expect(suggestModel("opsu", ["codex"], [builtInModels])).toBe("");
  });
});
