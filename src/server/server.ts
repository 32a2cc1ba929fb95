import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { defaultBatchesDirectory } from "../batch/places.js";
import { loadConfig } from "../config/load-config.js";
import { HarnessError, messageOf, systemCode } from "../errors.js";
import { defaultRecordingsDirectory } from "../runs/recording/paths.js";
import { createApp } from "./app.js";
import { createBatchIndex } from "./batches/batch-index.js";
import { defaultKeyPath, readCookieKey } from "./cookie-key.js";
import { createKnownAgents } from "./find-agent.js";
import { allowedHosts } from "./host-names.js";
import { createOnceTokens } from "./once-tokens.js";
import { createOwnRuns } from "./own-runs.js";
import { readPageFiles } from "./page-files.js";
import { createRunIndex } from "./run-index.js";
import { createSessionControls } from "./sessions/session-controls.js";

export interface ServerOptions {
  /** Default 127.0.0.1: only this machine can connect. */
  host?: string | undefined;
  /** Default: 4280, or the next port that is free. 0 means any free port. */
  port?: number | undefined;
  /** Where recordings are kept. Default: the user's data directory. */
  directory?: string | undefined;
  /** Where batches are kept. Default: the user's data directory. */
  batchesDirectory?: string | undefined;
  /** Where runs are started by default. */
  cwd?: string | undefined;
  /** True: the `harness.toml` of every directory that a run is started in is trusted. */
  trust?: boolean | undefined;
  /** What lets programs and pages in. Default: a new one for each start. Throws `bad_token` if it is easy to guess. */
  token?: string | undefined;
  /** Where the built page is. */
  pageDirectory?: string | undefined;
  /** Where the key that signs cookies is kept. */
  keyPath?: string | undefined;
}

export interface PageServer {
  /** The address with its token, to be opened in a browser. */
  url: string;
  /**
   * An address that opens one page, within a minute. It is for a browser's command line, which every user of the machine
   * can read.
   */
  urlForOnce(): string;
  /** The address without the token. */
  origin: string;
  token: string;
  port: number;
  /** Stops the runs that were started from the page, and then the server. */
  close(): Promise<void>;
}

export const defaultHost = "127.0.0.1";
const defaultPort = 4280;
const triedPorts = 20;

/** Serves the page that shows the recordings of a directory. */
export async function startServer(options: ServerOptions = {}): Promise<PageServer> {
  const { host = defaultHost, cwd = process.cwd() } = options;
  const directory = options.directory ?? defaultRecordingsDirectory();
  const token =
    options.token === undefined ? randomBytes(24).toString("base64url") : checkToken(options.token);
  const once = createOnceTokens();
  const { trust = false } = options;
  const known = createKnownAgents(loadConfig({ cwd, trust }));
  const ownRuns = createOwnRuns(directory);
  const index = createRunIndex({ directory, findAgent: known.find, ownKind: ownRuns.kindOf });
  const controls = createSessionControls(directory, ownRuns);
  let port = 0;
  const app = createApp({
    index,
    batches: createBatchIndex(options.batchesDirectory ?? defaultBatchesDirectory()),
    ownRuns,
    controls,
    known,
    cwd,
    trust,
    files: readPageFiles(options.pageDirectory),
    access: {
      token,
      useOnce: once.use,
      cookieKey: readCookieKey(options.keyPath ?? defaultKeyPath()),
      port: () => port,
      hosts: allowedHosts(host),
    },
  });
  const server = createServer(getRequestListener(app.fetch));
  port = await listen(server, host, options.port);
  const origin = `http://${shownHost(host)}:${port}`;
  return {
    origin,
    token,
    port,
    url: `${origin}/?token=${token}`,
    urlForOnce: () => `${origin}/?token=${once.create()}`,
    async close() {
      controls.close();
      await ownRuns.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The token is part of an address and of a header. */
function checkToken(token: string): string {
  if (/^[A-Za-z0-9._~-]{32,256}$/.test(token)) return token;
  const message =
    'the token must have 32 to 256 letters, digits, ".", "_", "~" and "-"; make one with: openssl rand -hex 32';
  throw new HarnessError("bad_token", message);
}

/** 0.0.0.0 and :: cannot be opened in a browser. */
function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return defaultHost;
  return host.includes(":") ? `[${host}]` : host;
}

async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  const ports = wanted === undefined ? [...Array(triedPorts).keys()].map((n) => defaultPort + n) : [wanted];
  for (const port of [...ports, ...(wanted === undefined ? [0] : [])]) {
    try {
      server.listen(port, host);
      await once(server, "listening");
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    } catch (error) {
      if (systemCode(error) === "EADDRINUSE" && wanted === undefined) continue;
      throw refuseToListen(error, host, port);
    }
  }
  throw refuseToListen(undefined, host, defaultPort);
}

function refuseToListen(error: unknown, host: string, port: number): HarnessError {
  const why =
    systemCode(error) === "EADDRINUSE"
      ? `port ${port} is in use; choose another with --port, or leave --port out`
      : `cannot listen on ${host}:${port}: ${messageOf(error)}; choose another with --host and --port`;
  return new HarnessError("cannot_listen", why, { cause: error });
}
