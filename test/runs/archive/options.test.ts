import { existsSync } from "node:fs";
import type * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createTranslator, translate } from "../../../src/agents/create-translator.js";
import { defineAgent } from "../../../src/agents/define-agent.js";
import { modelsIn } from "../../../src/models/load-models.js";
import { resolveModel } from "../../../src/models/resolve-model.js";
import { inspectAgent } from "../../../src/process/inspect-agent.js";
import type {
  ListOptionsSchema,
  PlaceSchema,
  PruneOptionsSchema,
} from "../../../src/runs/archive/options.js";
import type { ListOptions, Place, PruneOptions } from "../../../src/runs/archive/recordings.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { finish } from "../test-agent.js";

/** As programs without types call them. */
type Untyped = Record<string, (...given: unknown[]) => unknown>;
const library = {
  createTranslator,
  translate,
  defineAgent,
  inspectAgent,
  modelsIn,
  resolveModel,
} as unknown as Untyped;
const recorded = recordings as unknown as Untyped;

async function refusalOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

/** Checked by the compiler. */
it("the schemas of the options and their types are the same", () => {
  expectTypeOf<v.InferOutput<typeof PlaceSchema>>().toEqualTypeOf<Place>();
  expectTypeOf<v.InferOutput<typeof ListOptionsSchema>>().toEqualTypeOf<ListOptions>();
  expectTypeOf<v.InferOutput<typeof PruneOptionsSchema>>().toEqualTypeOf<PruneOptions>();
});

describe("options that cannot be right are refused, and nothing is done", () => {
  it.each([
    ["list", [{ limit: Number.NaN }], /^options\.limit must be a number, not NaN/],
    ["list", [{ limit: "5" }], /^options\.limit/],
    ["list", [{ outcome: "faild" }], /^options\.outcome/],
    ["list", [{ since: "yesterday" }], /^options\.since must be a valid Date/],
    ["list", [{ agents: "claude" }], /^options\.agents is not known; did you mean "agent"/],
    ["list", [{ directory: "" }], /^options\.directory must not be empty/],
    ["find", [5], /^id must be a string, not 5/],
    ["find", ["last", { dir: "/x" }], /^options\.dir is not known/],
    ["read", [undefined], /^id must be a string, not undefined/],
    ["replay", ["last", { speed: "10" }], /^options\.speed/],
    ["replay", ["last", { agent: "claude" }], /^options\.agent must be a definition/],
    ["export", ["last"], /^options must be an object, not undefined/],
    ["export", ["last", { format: "html", isFull: "yes" }], /^options\.isFull must be true or false/],
    ["remove", [[20]], /^ids\[0\] must be a string, not 20/],
    ["remove", [{}], /^ids must be an id or an array/],
    ["prune", [], /^options must be an object/],
    ["prune", [{}], /^options\.before is missing/],
    ["prune", [{ before: new Date("someday") }], /^options\.before must be a valid Date/],
    ["prune", [{ before: new Date(), dryrun: true }], /^options\.dryrun is not known; did you mean "dryRun"/],
    ["prune", [{ before: new Date(), dryRun: "true" }], /^options\.dryRun must be true or false/],
  ] as const)("sessions.%s(%j)", async (name, given, message) => {
    expect(await refusalOf(() => recorded[name]?.(...given))).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["createTranslator", [undefined], "invalid_option", /^agent must be an object/],
    ["createTranslator", [{ id: "x" }], "invalid_option", /^agent\.\w+ is missing/],
    [
      "createTranslator",
      ["claude", { cwdd: "/x" }],
      "invalid_option",
      /^options\.cwdd is not known; did you mean "cwd"/,
    ],
    ["createTranslator", ["claude", { isResumed: "yes" }], "invalid_option", /^options\.isResumed/],
    ["translate", ["claude", "one text"], "invalid_option", /^lines must be the lines/],
    ["translate", ["claude", [], { ended: 0 }], "invalid_option", /^options\.ended must be/],
    [
      "defineAgent",
      [{ id: "x", translator: "claude", capabilites: {} }],
      "invalid_agent",
      /capabilites is not known; did you mean "capabilities"/,
    ],
    [
      "defineAgent",
      [{ id: "x", translator: "claude", binaries: "x" }],
      "invalid_agent",
      /binaries must be an array/,
    ],
    [
      "defineAgent",
      [{ id: "x", translator: "claude", capabilities: { readonly: true } }],
      "invalid_agent",
      /capabilities\.readonly is not known/,
    ],
    ["defineAgent", [{ id: 5 }], "invalid_agent", /id must be a string/],
    ["inspectAgent", ["claude"], "invalid_option", /^agent must be an object, not "claude"/],
    ["modelsIn", [undefined], "invalid_option", /^directory must be a string/],
    ["resolveModel", [undefined, "claude"], "invalid_option", /^name must be a string/],
  ] as const)("%s(%j)", async (name, given, code, message) => {
    expect(await refusalOf(() => library[name]?.(...given))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("a slip in prune removes nothing", async () => {
    const { result, sessions: directory } = await finish("talk", {});
    for (const given of [
      { directory },
      { directory, before: new Date("x") },
      { directory, before: new Date(), dryrun: true },
    ])
      await refusalOf(() => recorded["prune"]?.(given));
    expect(existsSync(result.recording ?? "")).toBe(true);
  });
});

it("what has a code of its own keeps it", async () => {
  const { sessions: directory } = await finish("talk", { agent: "generic" });
  for (const speed of [0, -1, Number.NaN])
    expect(await refusalOf(() => recorded["replay"]?.("last", { directory, speed }))).toMatchObject({
      code: "bad_speed",
    });
  expect(await refusalOf(() => recorded["export"]?.("last", { directory, format: "pdf" }))).toMatchObject({
    code: "unknown_format",
  });
});

it("undefined counts as left out, also in a definition", () => {
  const agent = defineAgent({
    id: "x",
    translator: "claude",
    capabilities: { model: undefined } as never,
    name: undefined as never,
  });
  expect(agent).toMatchObject({ name: "x", capabilities: { model: true } });
});
