import * as v from "valibot";

/*
 * One line of `--format otlp`: OTLP/JSON, as the file receiver of a collector and `/v1/traces` take it. Ids are hexadecimal, times are
 * nanoseconds since 1970, and integers of 64 bits are strings. The types are written by hand: inferred ones are nested too deeply for
 * the compilers of users.
 */

/** Some spans of a run, as an OTLP/JSON request. */
export type OtlpTraces = {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
};

export type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  flags: number;
  name: string;
  /** 1: internal. */
  kind: 1;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  events?: { timeUnixNano: string; name: string; attributes: KeyValue[] }[];
  droppedEventsCount?: number;
  /** 2: an error. A span that did not fail has no status. */
  status?: { code: 2; message: string };
};

/** Of a value, exactly one field is there. */
export type KeyValue = { key: string; value: Scalar & { arrayValue?: { values: Scalar[] } } };

type Scalar = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean };

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const integer = v.pipe(text, v.regex(/^-?\d{1,19}$/));
const traceId = v.pipe(text, v.regex(/^[0-9a-f]{32}$/));
const spanId = v.pipe(text, v.regex(/^[0-9a-f]{16}$/));
const nanoseconds = v.pipe(text, v.regex(/^\d{1,20}$/));

const scalar = {
  stringValue: v.exactOptional(text),
  intValue: v.exactOptional(integer),
  doubleValue: v.exactOptional(v.number()),
  boolValue: v.exactOptional(v.boolean()),
};

const attributes: v.GenericSchema<unknown, KeyValue[]> = v.array(
  v.strictObject({
    key: text,
    value: v.strictObject({
      ...scalar,
      arrayValue: v.exactOptional(v.strictObject({ values: v.array(v.strictObject(scalar)) })),
    }),
  }),
);

const span: v.GenericSchema<unknown, OtlpSpan> = v.strictObject({
  traceId,
  spanId,
  parentSpanId: v.exactOptional(spanId),
  traceState: v.exactOptional(text),
  flags: count,
  name: text,
  kind: v.literal(1),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: v.exactOptional(v.array(v.strictObject({ timeUnixNano: nanoseconds, name: text, attributes }))),
  droppedEventsCount: v.exactOptional(count),
  status: v.exactOptional(v.strictObject({ code: v.literal(2), message: text })),
});

export const OtlpTraces: v.GenericSchema<unknown, OtlpTraces> = v.strictObject({
  resourceSpans: v.array(
    v.strictObject({
      resource: v.strictObject({ attributes }),
      scopeSpans: v.array(v.strictObject({ scope: v.strictObject({ name: text }), spans: v.array(span) })),
    }),
  ),
});
