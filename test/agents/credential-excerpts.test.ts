import { describe, expect, it } from "vitest";
import { clineIsolation } from "../../src/agents/cline/isolation.js";
import { geminiIsolation } from "../../src/agents/gemini/isolation.js";
import type { Excerpt, Isolation } from "../../src/agents/isolation.js";

function excerptOf({ credentials }: Isolation): Excerpt {
  const found = credentials.find(({ excerpt }) => excerpt !== undefined)?.excerpt;
  if (found === undefined) throw new Error("there is none");
  return found;
}

const notObjects = ["", "null", "[]", "1", '"text"', "{", "\u0000"];

describe("how a user signs in to Gemini CLI", () => {
  const { take } = excerptOf(geminiIsolation);

  it("is taken from the settings, and nothing else", () => {
    const settings = `{
      // "security": {}
      "ui": { "theme": "https://example.com/*" }, /* more */
      "security": { "auth": { "selectedType": "oauth-personal" }, "folderTrust": {} }
    }`;
    expect(JSON.parse(take(settings) ?? "")).toEqual({
      security: { auth: { selectedType: "oauth-personal" } },
    });
  });

  it.each([...notObjects, "{}", '{"security":1}', '{"security":{"auth":"x"}}'])(
    "is not in %j",
    (settings) => {
      expect(take(settings)).toBeUndefined();
    },
  );
});

describe("the providers of a user of Cline", () => {
  const { take, renew } = excerptOf(clineIsolation);
  const stored = (auth: object, more: object = {}) =>
    JSON.stringify({
      version: 1,
      lastUsedProvider: "cline",
      modes: {},
      providers: {
        cline: {
          settings: { provider: "cline", auth, model: "a-model", reasoning: { effort: "high" }, ...more },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "oauth",
        },
        other: {
          settings: { provider: "other", apiKey: "key", baseUrl: "https://example.com/v1", model: "b" },
        },
      },
    });

  it("are taken with their keys and addresses, but without what they are asked for", () => {
    expect(JSON.parse(take(stored({ accessToken: "old" })) ?? "")).toEqual({
      version: 1,
      lastUsedProvider: "cline",
      modes: {},
      providers: {
        cline: {
          settings: { provider: "cline", auth: { accessToken: "old" } },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "oauth",
        },
        other: { settings: { provider: "other", apiKey: "key", baseUrl: "https://example.com/v1" } },
      },
    });
  });

  it("get renewed tokens, and no other settings of the run", () => {
    const used = stored({ accessToken: "new" }, { model: "of the run", apiKey: "planted" });
    expect(JSON.parse(renew?.(stored({ accessToken: "old" }), used) ?? "")).toEqual(
      JSON.parse(stored({ accessToken: "new" })),
    );
  });

  it("stay as they are if no token was renewed", () => {
    const own = stored({ accessToken: "old" });
    expect(renew?.(own, stored({ accessToken: "old" }, { model: "of the run" }))).toBeUndefined();
    expect(renew?.(own, '{"providers":{"new":{"settings":{"auth":{"accessToken":"x"}}}}}')).toBeUndefined();
  });

  it.each(notObjects)("are never taken from %j, nor renewed by it", (text) => {
    expect(take(text)).toBeUndefined();
    expect(renew?.(stored({}), text)).toBeUndefined();
    expect(renew?.(text, stored({}))).toBeUndefined();
  });
});
