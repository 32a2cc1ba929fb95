import type { Format, FormatOptions, View } from "../contract.js";
import type { KeyValue, OtlpSpan, OtlpTraces } from "./schema.js";
import type { Attributes, AttributeValue, TraceSpan } from "./span.js";
import { createSpans, type Spans } from "./spans.js";
import { parseTraceParent } from "./trace-parent.js";

/** `--format otlp`: the spans of a run as OTLP/JSON, one item for each event that ends some. */
export const otlpFormat: Format<OtlpTraces> = { name: "otlp", create: createOtlpView };

function createOtlpView(options: FormatOptions = {}): View<OtlpTraces> {
  const spans = createSpansFor(options);
  const items = (ended: TraceSpan[]): OtlpTraces[] => (ended.length === 0 ? [] : [toTraces(ended)]);
  return {
    push(events) {
      const found: OtlpTraces[] = [];
      for (const event of events) found.push(...items(spans.add(event)));
      return found;
    },
    end: () => items(spans.end()),
  };
}

function createSpansFor({ hasContents, prompt, traceParent }: FormatOptions): Spans {
  const parent = traceParent === undefined ? undefined : parseTraceParent(traceParent);
  return createSpans({ hasContents, prompt, parent });
}

/** Who made the spans. */
export const spanScope = "harness";

/** Spans as one request. Without a resource: a service of the name `harness`. */
export function toTraces(
  spans: readonly TraceSpan[],
  resource: Attributes = { "service.name": "harness" },
): OtlpTraces {
  const scopeSpans = [{ scope: { name: spanScope }, spans: spans.map(toOtlpSpan) }];
  return { resourceSpans: [{ resource: { attributes: toKeyValues(resource) }, scopeSpans }] };
}

function toOtlpSpan(span: TraceSpan): OtlpSpan {
  const { traceId, spanId, parentSpanId, traceState, name, events, droppedEvents, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(traceState !== undefined && { traceState }),
    flags: flagsOf(span),
    name,
    kind: 1,
    startTimeUnixNano: toNanoseconds(span.startMs),
    endTimeUnixNano: toNanoseconds(span.endMs),
    attributes: toKeyValues(span.attributes),
    ...(events.length > 0 && {
      events: events.map(({ name, atMs, attributes }) => ({
        timeUnixNano: toNanoseconds(atMs),
        name,
        attributes: toKeyValues(attributes),
      })),
    }),
    ...(droppedEvents > 0 && { droppedEventsCount: droppedEvents }),
    ...(error !== undefined && { status: { code: 2, message: error } }),
  };
}

/** Sampled, and whether the parent is in another process is known. */
function flagsOf({ isParentRemote }: TraceSpan): number {
  return 0x101 | (isParentRemote ? 0x200 : 0);
}

/** Milliseconds with nanoseconds behind them are more than a number can hold. */
function toNanoseconds(milliseconds: number): string {
  return `${Math.trunc(milliseconds)}000000`;
}

function toKeyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }));
}

function toValue(value: AttributeValue): KeyValue["value"] {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number")
    return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
