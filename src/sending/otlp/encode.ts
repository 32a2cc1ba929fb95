import { HarnessError } from "../../errors.js";
import { spanScope, toTraces } from "../../outputs/otlp/format.js";
import type { Attributes, TraceSpan } from "../../outputs/otlp/span.js";
import { toJson } from "../../text/to-json.js";
import type { OtlpEndpoint } from "./endpoint.js";

/** Turns spans into the body of a request. */
export interface SpanEncoder {
  readonly contentType: string;
  encode(spans: readonly TraceSpan[]): string | Uint8Array;
}

/** Protobuf, which every receiver takes, needs packages. JSON needs none. Throws a `HarnessError` if they are missing. */
export async function createSpanEncoder({ protocol, resource }: OtlpEndpoint): Promise<SpanEncoder> {
  if (protocol === "http/json")
    return { contentType: "application/json", encode: (spans) => toJson(toTraces(spans, resource)) };
  const { serialize, resourceFromAttributes, createTraceState } = await loadPackages();
  const sender = resourceFromAttributes(asForeign(resource));
  return {
    contentType: "application/x-protobuf",
    encode: (spans) =>
      serialize(spans.map((span) => toReadableSpan(span, sender, createTraceState))) ?? new Uint8Array(),
  };
}

type Serialize =
  typeof import("@opentelemetry/otlp-transformer")["ProtobufTraceSerializer"]["serializeRequest"];
type ReadableSpan = Parameters<Serialize>[0][number];

interface Packages
  extends Pick<typeof import("@opentelemetry/resources"), "resourceFromAttributes">,
    Pick<typeof import("@opentelemetry/api"), "createTraceState"> {
  serialize: Serialize;
}

async function loadPackages(): Promise<Packages> {
  try {
    const [{ ProtobufTraceSerializer }, { resourceFromAttributes }, { createTraceState }] = await Promise.all(
      [
        import("@opentelemetry/otlp-transformer"),
        import("@opentelemetry/resources"),
        import("@opentelemetry/api"),
      ],
    );
    return { serialize: ProtobufTraceSerializer.serializeRequest, resourceFromAttributes, createTraceState };
  } catch (error) {
    throw new HarnessError(
      "missing_package",
      "spans are sent as protobuf, which needs packages that are not installed with harness; install them beside it with: npm install @opentelemetry/api @opentelemetry/resources @opentelemetry/otlp-transformer (add -g if harness is installed globally), or set OTEL_EXPORTER_OTLP_PROTOCOL=http/json, which needs none",
      { cause: error },
    );
  }
}

/** One object: spans of different ones are listed apart. */
const scope = { name: spanScope };

/** A span as the packages of OpenTelemetry describe it. */
function toReadableSpan(
  span: TraceSpan,
  resource: ReadableSpan["resource"],
  createTraceState: Packages["createTraceState"],
): ReadableSpan {
  const { traceId, parentSpanId, traceState, startMs, endMs, error } = span;
  const contextOf = (spanId: string, isRemote: boolean) => ({
    traceId,
    spanId,
    traceFlags: 1,
    isRemote,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  });
  return {
    name: span.name,
    kind: 0,
    spanContext: () => contextOf(span.spanId, false),
    ...(parentSpanId !== undefined && { parentSpanContext: contextOf(parentSpanId, span.isParentRemote) }),
    startTime: toTime(startMs),
    endTime: toTime(endMs),
    duration: toTime(endMs - startMs),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
    attributes: asForeign(span.attributes),
    links: [],
    events: span.events.map(({ name, atMs, attributes }) => ({
      name,
      time: toTime(atMs),
      attributes: asForeign(attributes),
    })),
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: span.droppedEvents,
    droppedLinksCount: 0,
  };
}

/** Their lists are not read-only. */
function asForeign(attributes: Attributes): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );
}

/** Seconds and nanoseconds. */
function toTime(milliseconds: number): [number, number] {
  const whole = Math.trunc(milliseconds);
  return [Math.floor(whole / 1000), (whole % 1000) * 1_000_000];
}
