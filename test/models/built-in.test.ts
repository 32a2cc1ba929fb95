import { describe, expect, it } from "vitest";
import { agents } from "../../src/agents/registry.js";
import { builtInModels } from "../../src/models/built-in.js";
import { families } from "../../src/models/built-in-data.js";
import { findBuiltInPrice } from "../../src/models/find-price.js";
import { resolveModel } from "../../src/models/resolve-model.js";

const entries = [...builtInModels.models];
const idOf = (name: string, agent: string) => resolveModel(name, agent, [builtInModels]).id;

describe("the built-in models", () => {
  // Any program can be behind an agent that is only a protocol, so it has no models of its own.
  const named = agents.filter(({ capabilities, traits }) => capabilities.model && !traits.isLiveOnly);
  it.each(named.map(({ id }) => id))("have names for %s, which takes a model", (agent) => {
    const names = entries.filter(([, { ids }]) => ids.has(agent)).map(([name]) => name);
    const hint = "an agent that takes a model needs the ids of the usual ones: src/models/built-in-data.ts";
    expect(
      names.filter((name) => Object.hasOwn(families, name)),
      hint,
    ).not.toEqual([]);
  });

  it("have ids for agents that exist and take a model, and no others", () => {
    const known = new Set(agents.filter(({ capabilities }) => capabilities.model).map(({ id }) => id));
    const named = new Set(entries.flatMap(([, { ids }]) => [...ids.keys()]));
    expect([...named].filter((agent) => !known.has(agent))).toEqual([]);
  });

  it("write a model's id as each agent expects it", () => {
    expect(idOf("opus", "claude")).toBe("opus");
    expect(idOf("opus", "opencode")).toBe("anthropic/claude-opus-5-5");
    expect(idOf("opus", "kilo")).toBe("anthropic/claude-opus-5-5");
    expect(idOf("opus", "pi")).toBe("anthropic/claude-opus-5-5");
    expect(idOf("opus", "cursor")).toBe("claude-opus-5-5-medium");
    expect(idOf("gpt", "codex")).toBe("gpt-6.1-sol");
    expect(idOf("gpt", "opencode")).toBe("openai/gpt-6.1-sol");
    expect(idOf("gemini", "gemini")).toBe("gemini-3.1-pro-preview");
    expect(idOf("gemini-flash", "antigravity")).toBe("gemini-3.8-flash-high");
    expect(idOf("claude-sonnet-4-5", "goose")).toBe("claude-sonnet-4-5");
  });

  it("have a provider prefix only for agents that need one", () => {
    for (const [name, { ids }] of entries)
      for (const [agent, id] of ids)
        expect(id.includes("/"), `${name}: ${agent} = ${id}`).toBe(
          ["opencode", "kilo", "pi", "kimi"].includes(agent),
        );
  });

  it("map every family to an existing model", () => {
    for (const { model } of Object.values(families))
      expect(builtInModels.models.has(model), model).toBe(true);
  });

  it("have a date and a source for every price", () => {
    for (const [name, { price }] of entries) {
      if (price === undefined) continue;
      expect(price.date, name).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(price.source, name).not.toBe("");
      expect(price.output, name).toBeGreaterThan(price.input);
      expect(price.cacheRead ?? 0, name).toBeLessThan(price.input);
    }
  });

  it("have one price for an id, whichever agent uses it", () => {
    for (const [name, { ids, price }] of entries) {
      if (price === undefined) continue;
      for (const id of ids.values()) expect(findBuiltInPrice(id), id).toEqual({ model: id, ...price });
      expect(findBuiltInPrice(name)).toEqual({ model: name, ...price });
    }
  });
});
