import { HarnessError, messageOf } from "../errors.js";

export interface FetchOptions {
  /** The whole of it: connecting, redirects and the last byte. Default 10 s. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Default 4 MiB; a registry of a thousand models has a tenth of that. */
  maxBytes?: number | undefined;
}

const defaultTimeoutMs = 10_000;
const defaultMaxBytes = 4 * 1024 * 1024;

/**
 * The text behind a URL. `registry_unreachable` is the error of a server that gave no answer (also: no
 * network), `registry_refused` of one whose answer is of no use.
 */
export async function fetchRegistry(address: string, options: FetchOptions = {}): Promise<string> {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = options;
  const url = checkUrl(address);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  const why = (error: unknown): string =>
    timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : causeOf(error);

  const response = await fetch(url, {
    signal,
    headers: { accept: "application/toml, text/plain, */*" },
  }).catch((error: unknown) => {
    throw new HarnessError("registry_unreachable", `cannot reach ${nameOf(url)}: ${why(error)}`, {
      cause: error,
    });
  });
  const refuse = (problem: string, cause?: unknown): HarnessError =>
    new HarnessError("registry_refused", `${nameOf(url)} ${problem}`, { cause });
  if (!response.ok) {
    await response.body?.cancel();
    throw refuse(`answered ${`${response.status} ${response.statusText}`.trimEnd()}`);
  }
  if (url.protocol === "https:" && !response.url.startsWith("https:")) {
    await response.body?.cancel();
    throw refuse("leads to an address without https");
  }
  return toText(await readBody(response, maxBytes, refuse, why), refuse);
}

type Refuse = (problem: string, cause?: unknown) => HarnessError;

async function readBody(
  response: Response,
  maxBytes: number,
  refuse: Refuse,
  why: (error: unknown) => string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const tooLarge = refuse(`sends more than ${maxBytes} bytes, too much for a registry`);
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw tooLarge;
    throw refuse(`stopped in the middle of its answer: ${why(error)}`, error);
  }
  return Buffer.concat(chunks);
}

function toText(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse("sends what is not text", error);
  }
}

function checkUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const problem =
    url === undefined || !/^https?:$/.test(url.protocol)
      ? "must begin with https:// or http://"
      : url.username !== "" || url.password !== ""
        ? "must not hold a user name or a password"
        : undefined;
  if (url !== undefined && problem === undefined) return url;
  throw new HarnessError("bad_models_url", `models_url ${problem}; change it in the configuration`);
}

/** An address for people: what is behind `?` may be a key. */
export function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** `fetch failed` says nothing; what caused it does. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause ?? error) || messageOf(error);
}
