import { HarnessError, messageOf } from "../errors.js";

export interface FetchOptions {
  /** For everything: connecting, redirects and the body. Default 10 s. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Default 4 MiB. A registry of a thousand models needs a tenth of that. */
  maxBytes?: number | undefined;
}

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 4 * 1024 * 1024;

/**
 * Fetches the text behind a URL. Throws `registry_unreachable` if the server does not answer (or there is no network), and
 * `registry_refused` if its answer is not usable.
 */
export async function fetchRegistry(address: string, options: FetchOptions = {}): Promise<string> {
  const attempt = createAttempt(checkUrl(address), options);
  const response = await ask(attempt);
  const bytes = await readBody(response, attempt, options.maxBytes ?? defaultMaxBytes);
  return toText(bytes, attempt.refuse);
}

interface Attempt {
  url: URL;
  signal: AbortSignal;
  /** The reason for a failure, as text. */
  why(error: unknown): string;
  refuse(problem: string, cause?: unknown): HarnessError;
}

function createAttempt(url: URL, { timeoutMs = defaultTimeoutMs, signal }: FetchOptions): Attempt {
  const timeout = AbortSignal.timeout(timeoutMs);
  return {
    url,
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    why: (error) => (timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : causeOf(error)),
    refuse: (problem, cause) => new HarnessError("registry_refused", `${nameOf(url)} ${problem}`, { cause }),
  };
}

async function ask({ url, signal, why, refuse }: Attempt): Promise<Response> {
  // Loaded when it is needed: every run loads this file, and few fetch anything.
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const headers = { accept: "application/toml, text/plain, */*" };
  const response = await fetch(url, { signal, headers }).catch((error: unknown) => {
    const reason = why(error);
    if (reason.includes("redirect")) throw refuse(`redirects too often: ${reason}`, error);
    throw new HarnessError("registry_unreachable", `cannot reach ${nameOf(url)}: ${reason}`, {
      cause: error,
    });
  });
  const problem = !response.ok
    ? `answered ${response.status} ${STATUS_CODES[response.status] ?? ""}`.trimEnd()
    : url.protocol === "https:" && !response.url.startsWith("https:")
      ? "redirects to an address without https"
      : undefined;
  if (problem === undefined) return response;
  await response.body?.cancel();
  throw refuse(problem);
}

async function readBody(response: Response, { why, refuse }: Attempt, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = refuse(`sent more than ${maxBytes} bytes, the limit for a registry`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    throw error === tooLarge ? tooLarge : refuse(`broke off its answer: ${why(error)}`, error);
  }
  return Buffer.concat(chunks);
}

function toText(bytes: Uint8Array, refuse: Attempt["refuse"]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse("did not send valid UTF-8 text", error);
  }
}

function checkUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const problem =
    url === undefined || !/^https?:$/.test(url.protocol)
      ? "must begin with https:// or http://"
      : url.username !== "" || url.password !== ""
        ? "must not contain a user name or a password"
        : undefined;
  if (url !== undefined && problem === undefined) return url;
  throw new HarnessError("bad_models_url", `models_url ${problem}; change it in the configuration`);
}

/** The address without its query, which may contain a key. */
export function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** The message `fetch failed` says nothing. Its cause does. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error) || messageOf(error);
}
