import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HarnessError } from "../../src/errors.js";
import type { ModelEntry } from "../../src/models/model-entry.js";
import { parseRegistry, type Registry } from "../../src/models/parse-registry.js";
import { registryToml } from "../../src/models/registry-toml.js";

function problemOf(text: string): string {
  try {
    parseRegistry(text, "x.toml");
  } catch (error) {
    if (error instanceof HarnessError && error.code === "invalid_registry") return error.message;
    throw error;
  }
  return "";
}

describe("a registry", () => {
  it("has models in the format of the configuration, and prices", () => {
    const { models } = parseRegistry(
      `
      [models.fast]
      description = "quick and cheap"
      provider = "anthropic"
      claude-code = "claude-haiku-5-5"
      a-later-agent = "x"
      [models.fast.price]
      input = 0.1
      output = 0.5
      cache_read = 0.01
      cache_write = 0.125
      date = "2026-11-13"
      source = "the vendor"
      a_later_class = 9
      [models."gpt-6.1"]
      codex = "gpt-6.1-sol"
      [something_of_a_later_version]
      `,
      "x.toml",
    );
    expect(models.get("fast")).toEqual({
      description: "quick and cheap",
      provider: "anthropic",
      ids: new Map([
        ["claude", "claude-haiku-5-5"],
        ["a-later-agent", "x"],
      ]),
      price: {
        input: 0.1,
        output: 0.5,
        cacheRead: 0.01,
        cacheWrite: 0.125,
        date: "2026-11-13",
        source: "the vendor",
      },
    });
    expect(models.get("gpt-6.1")?.ids).toEqual(new Map([["codex", "gpt-6.1-sol"]]));
  });

  it.each([
    ["", "it has no [models.NAME]"],
    ["[models]", "it has no [models.NAME]"],
    ["<!DOCTYPE html><html><body>Not Found</body></html>", "it is HTML, not TOML"],
    ['{"models": {}}', "not valid TOML: line 1"],
    ['[models.a]\nclaude = "x', "not valid TOML: line 2"],
    ["[models.a]\nclaude = 5", '"models.a.claude" must be a string in quotes, not 5'],
    ['[models.a]\nclaude = ""', '"models.a.claude" must not be empty'],
    ['[models.a]\nclaude = "--dangerous"', '"models.a.claude" must not begin with a space or a hyphen'],
    ['[models.a]\nclaude = "a\\u001b[2J"', '"models.a.claude" must be text without control characters'],
    ['[models."--a"]\nclaude = "x"', '"models.--a" must not begin with a space or a hyphen'],
    ['[models.a]\ndescription = "a\\nb"', '"models.a.description" must be text without control characters'],
    ["[models.a.price]\ninput = 1", '"models.a.price.output"'],
    ["[models.a.price]\ninput = -1\noutput = 1", '"models.a.price.input" must not be below 0'],
    ["[models.a.price]\ninput = inf\noutput = 1", '"models.a.price.input" must be'],
    ["[models.a.price]\ninput = nan\noutput = 1", '"models.a.price.input" must be'],
    ['models = "a"', '"models" must be a table'],
    ['[models.__proto__]\nclaude = "x"', 'the key "__proto__" is not allowed'],
  ])("is refused with the reason: %j", (text, reason) => {
    expect(problemOf(text)).toContain("x.toml is not a model registry: ");
    expect(problemOf(text)).toContain(reason);
  });

  it("cannot pollute Object.prototype", () => {
    for (const key of ["__proto__", '"__proto__"', '"\\u005f_proto__"', "a.__proto__"])
      problemOf(`[${key}]\nx = 1`);
    problemOf("a = [{ __proto__ = { x = 1 } }]");
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect({}).not.toHaveProperty("x");
  });

  /** Keys that valibot drops from records. */
  const unsafe = new Set(["__proto__", "prototype", "constructor"]);
  const line = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => /^\P{Cc}*$/u.test(text));
  const id = line.filter((text) => /^[^\s-]/u.test(text) && !unsafe.has(text));
  const agent = id.filter((text) => !["description", "provider", "price"].includes(text));
  const usd = fc.double({ min: 0, max: 1e6, noNaN: true }).map((amount) => amount + 0);
  const price = fc.record(
    { input: usd, output: usd, cacheRead: usd, cacheWrite: usd, date: line, source: line },
    { requiredKeys: ["input", "output"] },
  );
  const entry: fc.Arbitrary<ModelEntry> = fc
    .record(
      { description: line, provider: line, ids: fc.dictionary(agent, id, { maxKeys: 4 }), price },
      { requiredKeys: ["ids"] },
    )
    .map(({ ids, ...rest }) => ({ ...rest, ids: new Map(Object.entries(ids)) }));
  const registry: fc.Arbitrary<Registry> = fc.record(
    {
      models: fc
        .array(fc.tuple(id, entry), { minLength: 1, maxLength: 5 })
        .map((entries) => new Map(entries)),
      fetchedFrom: line,
      fetchedAt: fc.constant("2026-11-15T20:00:00.000Z"),
    },
    { requiredKeys: ["models"] },
  );

  it("survives writing and reading", () => {
    fc.assert(
      fc.property(registry, (written) => {
        const read = parseRegistry(registryToml(written), "x.toml");
        const plain = ({ models, ...rest }: Registry) => ({
          ...rest,
          models: Object.fromEntries(
            [...models].map(([name, { ids, ...other }]) => [
              name,
              { ...other, ids: Object.fromEntries(ids) },
            ]),
          ),
        });
        expect(plain(read)).toEqual(plain(written));
      }),
    );
  });

  it("is parsed or refused with a reason, whatever the text", () => {
    const toml = registry.map(registryToml);
    const spoilt = fc
      .tuple(toml, fc.nat(), fc.nat({ max: 40 }), fc.string({ unit: "binary" }))
      .map(([text, at, length, put]) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), spoilt), (text) => {
        expect(typeof problemOf(text)).toBe("string");
      }),
    );
    expect(problemOf(`a = ${"[".repeat(50_000)}${"]".repeat(50_000)}`)).toContain("is not a model registry");
  });
});
