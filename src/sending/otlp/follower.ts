import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TraceSpan } from "../../outputs/otlp/span.js";
import { createSpans, type Spans } from "../../outputs/otlp/spans.js";
import { parseTraceParent, type TraceParent } from "../../outputs/otlp/trace-parent.js";
import { deliver } from "../deliver.js";
import type { FollowedRun, Follower } from "../follower.js";
import { post } from "../post.js";
import { createSendQueue, type SendQueue, type SendReport } from "../send-queue.js";
import { createSpanEncoder, type SpanEncoder } from "./encode.js";
import { type OtlpEndpoint, type OtlpEnvironment, resolveEndpoint } from "./endpoint.js";

/** Where the spans of a run are sent, and what is in them. */
export interface OtlpOptions {
  /** Where a collector listens. Default: `OTEL_EXPORTER_OTLP_ENDPOINT` and its like, else `http://localhost:4318`. */
  endpoint?: string | undefined;
  /** With prompts, answers, paths, commands, arguments and results. Default: none of them is sent. */
  hasContents?: boolean | undefined;
  /** All spans are sent, however long that takes: for a run that is over. Default: what waits is limited. */
  isWhole?: boolean | undefined;
  /** The variables of OpenTelemetry, and `TRACEPARENT`. Default: those of this process. */
  env?: OtlpEnvironment | undefined;
  /** Gets one sentence at the end, if some spans could not be sent. */
  onProblem?: ((sentence: string) => void) | undefined;
}

/** A follower that sends the spans of one run. */
export interface OtlpFollower extends Follower {
  /** How many spans were sent and given up. Complete after `end`. */
  readonly report: Readonly<SendReport>;
}

const queueLimits = { maxWaiting: 8 * 1024 * 1024, maxSent: 512 * 1024, gatherMs: 1000, endMs: 5000 };
const wholeLimits = {
  ...queueLimits,
  maxWaiting: Number.POSITIVE_INFINITY,
  endMs: 10 * 60_000,
  isPatient: true,
};

/** What the specification calls retryable. */
const temporary: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Sends the spans of one run to an OTLP endpoint, as they end. Throws a `HarnessError` before anything is sent if the endpoint or a
 * variable is invalid, or a package is missing.
 *
 * @example
 * const follower = await createOtlpFollower({ endpoint: "http://localhost:4318" });
 * for await (const steps of run.batches()) follower.push(steps);
 * await follower.end();
 */
export async function createOtlpFollower(options: OtlpOptions = {}): Promise<OtlpFollower> {
  const { env = process.env, hasContents, onProblem } = options;
  const endpoint = resolveEndpoint(options.endpoint, env);
  const encoder = await createSpanEncoder(endpoint);
  const queue = createSpanQueue(endpoint, encoder, options.isWhole ? wholeLimits : queueLimits);
  const report: SendReport = { sent: 0, givenUp: 0 };
  let about: FollowedRun = {};
  let spans: Spans | undefined;
  const opened = (): Spans => {
    spans ??= createSpans({ hasContents, parent: traceParentIn(env), prompt: about.prompt });
    return spans;
  };
  return {
    report,
    begin(run) {
      about = run;
    },
    push(steps) {
      for (const { events } of steps)
        for (const event of events) for (const span of opened().add(event)) queue.push(span);
    },
    async end() {
      for (const span of spans?.end() ?? []) queue.push(span);
      const { sent, givenUp, problem } = Object.assign(report, await queue.end());
      if (givenUp > 0)
        onProblem?.(
          `${givenUp} of ${sent + givenUp} spans could not be sent to ${endpoint.url.origin}: ${problem}.${options.isWhole ? "" : " The run is not affected."}`,
        );
    },
    abandon: () => queue.abandon(),
  };
}

/** The span that this process belongs to, if its environment names one. */
export function traceParentIn(env: OtlpEnvironment): TraceParent | undefined {
  const { TRACEPARENT, TRACESTATE } = env;
  return TRACEPARENT === undefined ? undefined : parseTraceParent(TRACEPARENT, TRACESTATE);
}

const compress = promisify(gzip);

function createSpanQueue(
  endpoint: OtlpEndpoint,
  encoder: SpanEncoder,
  limits: typeof queueLimits,
): SendQueue<TraceSpan> {
  const { url, headers, isCompressed, timeoutMs, ca, cert, key } = endpoint;
  const allHeaders = {
    "user-agent": "harness",
    ...headers,
    "content-type": encoder.contentType,
    ...(isCompressed && { "content-encoding": "gzip" }),
  };
  return createSendQueue<TraceSpan>({
    ...limits,
    sizeOf: sizeOfSpan,
    async send(spans, signals) {
      const encoded = encoder.encode(spans);
      const body = isCompressed ? await compress(encoded) : encoded;
      return deliver({
        attempt: () =>
          post(url, { headers: allHeaders, body, timeoutMs, signal: signals.stop, ca, cert, key }),
        isTemporary: (status) => temporary.has(status),
        // Nobody waits for a collector that is away.
        isPatient: (reply) => !signals.ending.aborted || reply !== undefined,
        signals,
      });
    },
  });
}

/** About as many bytes as it takes. */
function sizeOfSpan({ name, attributes, events }: TraceSpan): number {
  let size = 200 + name.length;
  for (const each of [attributes, ...events.map((event) => event.attributes)])
    for (const [key, value] of Object.entries(each))
      size += key.length + (typeof value === "object" ? value.join().length : String(value).length) + 8;
  return size;
}
