import fc from "fast-check";
import type * as v from "valibot";

/** The parts of a valibot schema that the generator looks at. */
interface Node {
  type: string;
  entries?: Record<string, Node>;
  options?: readonly unknown[];
  literal?: unknown;
  wrapped?: Node;
  item?: Node;
  /** Of a custom schema. */
  check?: (value: unknown) => boolean;
  pipe?: readonly { type: string; requirement?: unknown }[];
}

/** Any value that is valid under a schema, made from the schema itself so that it cannot fall behind. */
export function arbitraryOf<T>(schema: v.GenericSchema<unknown, T>): fc.Arbitrary<T> {
  return arbitraryOfNode(schema as unknown as Node) as fc.Arbitrary<T>;
}

function arbitraryOfNode(node: Node): fc.Arbitrary<unknown> {
  const make = makers[node.type];
  if (make === undefined) throw new Error(`no generator for ${node.type}`);
  return make(node);
}

const makers: Record<string, (node: Node) => fc.Arbitrary<unknown>> = {
  variant: (node) => fc.oneof(...(node.options as Node[]).map(arbitraryOfNode)),
  union: (node) => fc.oneof(...(node.options as Node[]).map(arbitraryOfNode)),
  null: () => fc.constant(null),
  strict_object: (node) => {
    const entries = Object.entries(node.entries ?? {});
    const requiredKeys = entries.filter(([, entry]) => entry.type !== "exact_optional").map(([key]) => key);
    const model = Object.fromEntries(entries.map(([key, entry]) => [key, arbitraryOfNode(entry)]));
    return fc.record(model, { requiredKeys, noNullPrototype: true });
  },
  exact_optional: (node) => arbitraryOfNode(wrappedIn(node)),
  nullable: (node) => fc.option(arbitraryOfNode(wrappedIn(node))),
  loose_object: () => fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 })).map(asParsed),
  array: (node) => {
    const minLength = node.pipe?.find((action) => action.type === "min_length")?.requirement;
    const item = node.item ?? { type: "string" };
    // A schema that has itself as a part ends here.
    if (item.type === "lazy") return fc.constant([]);
    const limits = { minLength: typeof minLength === "number" ? minLength : 0, maxLength: 3 };
    return fc.array(arbitraryOfNode(item), limits);
  },
  literal: (node) => fc.constant(node.literal),
  picklist: (node) => fc.constantFrom(...(node.options ?? [])),
  boolean: () => fc.boolean(),
  custom: (node) =>
    fc
      .oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })))
      .map(asParsed)
      .filter((value) => node.check?.(value) ?? true),
  string: (node) => {
    const shape = node.pipe?.find((action) => action.type === "regex")?.requirement;
    if (shape instanceof RegExp) return fc.stringMatching(shape);
    if (has(node, "min_length")) return texts.filter((text) => text !== "");
    return has(node, "iso_timestamp") ? isoTimestamps : texts;
  },
  number: (node) => {
    const min = node.pipe?.find((action) => action.type === "min_value")?.requirement;
    if (has(node, "integer"))
      return fc.integer({ min: typeof min === "number" ? min : -1000, max: 1_000_000 });
    return fc
      .double({ min: typeof min === "number" ? min : -1000, max: 1_000_000, noNaN: true })
      .map(asParsed);
  },
};

/** Short words that collide often, any characters, and texts beyond the cut with surrogate pairs at it. */
const texts = fc.oneof(
  fc.constantFrom("", "a", "b", "ab", "/repo", "/repo/a", " ", "two\nlines", "\u001b[31mred\u001b[0m"),
  fc.string({ unit: "binary" }),
  fc
    .tuple(fc.integer({ min: 0, max: 5000 }), fc.string({ unit: "grapheme" }))
    .map(([count, text]) => "x".repeat(count) + "😀".repeat(300) + text),
);

const isoTimestamps = fc.oneof(
  fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00+05"),
  fc
    .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
);

/** A value as `JSON.parse` gives it: without `-0`. */
function asParsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function wrappedIn(node: Node): Node {
  if (node.wrapped === undefined) throw new Error(`nothing is wrapped in ${node.type}`);
  return node.wrapped;
}

function has(node: Node, action: string): boolean {
  return node.pipe?.some((step) => step.type === action) ?? false;
}
