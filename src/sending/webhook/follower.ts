import { deliver } from "../deliver.js";
import type { Follower } from "../follower.js";
import { post } from "../post.js";
import { createSendQueue, type SendFailure, type SendSignals } from "../send-queue.js";
import { parseAddress } from "../web-address.js";
import { createWebhookMessages, type WebhookEvents, type WebhookMessage } from "./messages.js";
import { keyOf, signedHeaders } from "./sign.js";

/** Where a run is announced, and with what. */
export interface WebhookOptions {
  /** Where messages are posted to: http or https. Redirects are not followed. */
  url: string;
  /** Signs every message: `whsec_…`, or any text. Without one, messages are not signed. */
  secret?: string | undefined;
  /** `all`: the events of the run as well. Default: its beginning and its end. */
  events?: WebhookEvents | undefined;
  /** Gets one sentence at the end, if some messages could not be delivered. */
  onProblem?: ((sentence: string) => void) | undefined;
}

const queueLimits = { maxWaiting: 16 * 1024 * 1024, maxSent: 0, gatherMs: 0, endMs: 10_000 };
const timeoutMs = 10_000;
/** How long events wait for others. */
const gatherMs = 1000;

/**
 * Posts what happens in one run to a webhook, as https://www.standardwebhooks.com describes it. Throws a `HarnessError` before
 * anything is sent if the address or the secret is invalid.
 *
 * @example
 * const follower = createWebhookFollower({ url: "https://example.com/hook", secret: "whsec_…" });
 * for await (const steps of run.batches()) follower.push(steps);
 * await follower.end();
 */
export function createWebhookFollower({
  url: given,
  secret,
  events = "ends",
  onProblem,
}: WebhookOptions): Follower {
  const instead = "HARNESS_WEBHOOK_SECRET, which signs every message";
  const url = parseAddress(given, "--webhook", instead, "https://example.com/hook");
  const key = secret === undefined ? undefined : keyOf(secret);
  const messages = createWebhookMessages(events);
  const queue = createSendQueue<WebhookMessage>({
    ...queueLimits,
    sizeOf: ({ body }) => body.length,
    isPrecious: ({ type }) => type !== "run.events",
    // Nothing fits beside the first one, so there is only one.
    send: async ([message], signals) => message && deliverMessage(url, message, key, signals),
  });
  let flushing: NodeJS.Timeout | undefined;

  function pushAll(found: readonly WebhookMessage[]): void {
    for (const message of found) queue.push(message);
  }

  function flushLater(): void {
    flushing ??= setTimeout(() => {
      flushing = undefined;
      pushAll(messages.flush());
    }, gatherMs).unref();
  }

  return {
    begin: messages.begin,
    push(steps) {
      for (const step of steps) for (const event of step.events) pushAll(messages.add(event));
      flushLater();
    },
    check: (found) => pushAll(messages.check(found)),
    async end() {
      clearTimeout(flushing);
      pushAll(messages.end());
      const { sent, givenUp, problem } = await queue.end();
      if (givenUp > 0)
        onProblem?.(
          `${givenUp} of ${sent + givenUp} messages could not be delivered to the webhook at ${url.origin}: ${problem}. The run is not affected.`,
        );
    },
    abandon: () => queue.abandon(),
  };
}

function deliverMessage(
  url: URL,
  message: WebhookMessage,
  key: Buffer | undefined,
  signals: SendSignals,
): Promise<SendFailure | undefined> {
  const { body } = message;
  return deliver({
    attempt() {
      const headers = {
        "content-type": "application/json",
        "user-agent": "harness",
        ...signedHeaders(message, key, new Date()),
      };
      return post(url, { headers, body, timeoutMs, signal: signals.stop });
    },
    isTemporary: (status) => status === 408 || status === 429 || status >= 500,
    // After the run, one more attempt is for a receiver that is just being started again.
    isPatient: (reply, failures) => !signals.ending.aborted || reply !== undefined || failures === 0,
    signals,
  });
}
