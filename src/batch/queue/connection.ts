import type { Redis } from "ioredis";
import { HarnessError, messageOf } from "../../errors.js";
import { stripEscapes } from "../../text/clean-text.js";

export type BullMq = typeof import("bullmq");

/** A connection to Redis or Valkey, and the packages that use it. */
export interface QueueConnection {
  readonly bullmq: BullMq;
  readonly redis: Redis;
  /** For people: without the password. */
  readonly address: string;
  /** False while the server does not answer. Commands wait for it. */
  isUp(): boolean;
  /**
   * Closes it and all its copies, also while the server does not answer. Commands that wait are rejected, within two seconds if the
   * server is away.
   */
  close(): void;
}

export interface ConnectionOptions {
  url: string;
  onNotice(sentence: string): void;
  /** How long the server may take to answer at the start. */
  timeoutMs?: number | undefined;
}

/** Connects, or throws a `HarnessError` that says what is missing. A connection that breaks later is made again, however long it takes. */
export async function connectQueue(options: ConnectionOptions): Promise<QueueConnection> {
  const address = describeUrl(options.url);
  const { bullmq, Redis: Client } = await loadPackages();
  let isClosed = false;
  const redis = new Client(options.url.replace(/^valkey(s?):/i, "redis$1:"), {
    // Commands wait for a server that is away. BullMQ requires it.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => (isClosed ? null : Math.min(100 * times, 2000)),
    connectTimeout: 5000,
  });
  const clients = withCopies(redis);
  await becomeReady(redis, address, options.timeoutMs ?? 5000);
  watch(redis, address, options.onNotice);
  return {
    bullmq,
    redis,
    address,
    isUp: () => redis.status === "ready",
    close() {
      isClosed = true;
      clients.forEach(endClient);
    },
  };
}

/** The connection and all its copies. BullMQ makes some, and keeps them to itself. */
function withCopies(redis: Redis): readonly Redis[] {
  const clients = [redis];
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => {
    const copy = duplicate(override);
    clients.push(copy);
    return copy;
  };
  return clients;
}

/** Between two attempts to connect, `disconnect` would leave waiting commands alone forever. After the next attempt they are rejected. */
function endClient(client: Redis): void {
  if (client.status === "reconnecting") client.once("ready", () => client.disconnect());
  else client.disconnect();
}

/** An address for people: where the server is, and nothing that is secret. */
export function describeUrl(text: string): string {
  if (!/^(redis|rediss|valkey|valkeys):\/\//i.test(text) || !URL.canParse(text))
    throw new HarnessError(
      "bad_queue_url",
      "the address of the queue must look like redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT for TLS",
    );
  const { protocol, hostname, port, pathname } = new URL(text);
  return `${protocol}//${hostname || "localhost"}:${port || 6379}${pathname === "/" ? "" : pathname}`;
}

async function loadPackages(): Promise<{ bullmq: BullMq; Redis: typeof import("ioredis").Redis }> {
  try {
    const [bullmq, { Redis: Client }] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, Redis: Client };
  } catch (error) {
    throw new HarnessError(
      "missing_package",
      'a queue needs the packages "bullmq" and "ioredis", which are not installed with harness; install them beside it with: npm install bullmq ioredis (add -g if harness is installed globally)',
      { cause: error },
    );
  }
}

async function becomeReady(redis: Redis, address: string, timeoutMs: number): Promise<void> {
  let last: unknown;
  redis.on("error", (error) => {
    last = error;
  });
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    redis.once("ready", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  if (isReady) {
    // A server that wants a password accepts the connection, and refuses the first command.
    const refusal = await redis.ping().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal === undefined) return;
    last = refusal;
  }
  redis.disconnect();
  throw new HarnessError(
    "queue_unreachable",
    `${address} cannot be used as a queue: ${reasonOf(last)}; start a Redis or Valkey server there, or check the address and the password`,
    { cause: last },
  );
}

function reasonOf(error: unknown): string {
  if (error === undefined) return "it does not answer";
  const message = stripEscapes(messageOf(error));
  return message === "" ? "the connection is refused" : message;
}

/** Short interruptions are not worth a sentence. */
const silentMs = 2000;

function watch(redis: Redis, address: string, onNotice: (sentence: string) => void): void {
  let timer: NodeJS.Timeout | undefined;
  let isReported = false;
  redis.on("close", () => {
    timer ??= setTimeout(() => {
      isReported = true;
      onNotice(`${address} does not answer. What runs goes on; everything else waits until it is back.`);
    }, silentMs);
    timer.unref();
  });
  redis.on("ready", () => {
    clearTimeout(timer);
    timer = undefined;
    if (isReported) onNotice(`${address} is back.`);
    isReported = false;
  });
  redis.on("end", () => clearTimeout(timer));
}
