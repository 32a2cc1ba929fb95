import { parse, type Type } from "protobufjs";

/**
 * The messages of OTLP that carry spans, with the numbers of their fields as opentelemetry-proto defines them. What a receiver would
 * make of a request is read with them, and with nothing of ours.
 */
const proto = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
message InstrumentationScope { string name = 1; string version = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
  repeated Event events = 11; uint32 dropped_events_count = 12;
  uint32 dropped_links_count = 14; Status status = 15; fixed32 flags = 16;
}
message Event {
  fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
}
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
`;

const request: Type = parse(proto).root.lookupType("ExportTraceServiceRequest");

/** A value of an attribute, as plain data. Integers of 64 bits are strings, as in OTLP/JSON. */
export interface DecodedValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string;
  doubleValue?: number;
  arrayValue?: { values?: DecodedValue[] };
}

export interface DecodedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  kind: number;
  flags: number;
  start: bigint;
  end: bigint;
  attributes: Record<string, DecodedValue>;
  events: { name: string; at: bigint; attributes: Record<string, DecodedValue> }[];
  droppedEvents: number;
  status: { code: number; message: string };
}

export interface DecodedRequest {
  resource: Record<string, DecodedValue>;
  scope: string;
  spans: DecodedSpan[];
}

/** Reads the protobuf of a request. Throws if it is not one. */
export function decodeRequest(bytes: Uint8Array): DecodedRequest {
  return plain(request.toObject(request.decode(bytes), { longs: String, defaults: true, arrays: true }));
}

/** The spans of a line of OTLP/JSON, in the same shape. What is left out of it has the default of its field. */
export function spansOfJson(line: string): DecodedSpan[] {
  const bytes = (text: string | undefined): Uint8Array => Buffer.from(text ?? "", "hex");
  const { resourceSpans } = JSON.parse(line);
  return resourceSpans[0].scopeSpans[0].spans.map((span: Record<string, string>) =>
    toSpan({
      traceState: "",
      events: [],
      droppedEventsCount: 0,
      ...span,
      traceId: bytes(span["traceId"]),
      spanId: bytes(span["spanId"]),
      parentSpanId: bytes(span["parentSpanId"]),
    }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: what protobufjs gives has no type
function plain({ resourceSpans }: Record<string, any>): DecodedRequest {
  const [first] = resourceSpans;
  const [scoped] = first.scopeSpans;
  if (resourceSpans.length !== 1 || first.scopeSpans.length !== 1) throw new Error("not one sender");
  return {
    resource: attributesOf(first.resource.attributes),
    scope: scoped.scope.name,
    spans: scoped.spans.map(toSpan),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what protobufjs gives has no type
function toSpan(span: any): DecodedSpan {
  const { name, kind, flags, traceState } = span;
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    traceState,
    name,
    kind,
    flags,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    // biome-ignore lint/suspicious/noExplicitAny: what protobufjs gives has no type
    events: span.events.map((event: any) => ({
      name: event.name,
      at: BigInt(event.timeUnixNano),
      attributes: attributesOf(event.attributes),
    })),
    droppedEvents: span.droppedEventsCount,
    status: { code: span.status?.code ?? 0, message: span.status?.message ?? "" },
  };
}

function attributesOf(pairs: { key: string; value: DecodedValue }[]): Record<string, DecodedValue> {
  const attributes: Record<string, DecodedValue> = {};
  for (const { key, value } of pairs) {
    if (key in attributes) throw new Error(`the attribute ${key} is there twice`);
    attributes[key] = value;
  }
  return attributes;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
