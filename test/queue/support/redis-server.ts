import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe } from "vitest";

const program = ["redis-server", "valkey-server"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

/** Tests that need a real server. Without one they are skipped, loudly, unless HARNESS_REQUIRE_REDIS is set. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (program === undefined) describe.skip(name, tests);
  else describe(name, tests);
}

if (program === undefined) {
  const message = "there is no redis-server: the tests of the queue need one (scripts/install-tools.sh)";
  if (process.env["HARNESS_REQUIRE_REDIS"] === "1") throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** A connection for looking. */
  client(): Redis;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends everything and removes its files. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback interface. `isDurable`: every write is on disk before it is answered. */
export async function startRedis({ isDurable = false, password = "" } = {}): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), "harness-redis-"));
  const port = await freePort();
  const url = password === "" ? `redis://127.0.0.1:${port}` : `redis://:${password}@127.0.0.1:${port}`;
  const durable = isDurable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const clients: Redis[] = [];
  let child: ChildProcess | undefined;
  const start = async () => {
    const secret = password === "" ? [] : ["--requirepass", password];
    child = spawn(
      program ?? "",
      [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        directory,
        "--save",
        "",
        ...durable,
        ...secret,
      ],
      { stdio: "ignore" },
    );
    await untilItAnswers(url);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url,
    port,
    client() {
      const client = new Redis(url, { maxRetriesPerRequest: null });
      client.on("error", () => {});
      clients.push(client);
      return client;
    },
    kill,
    start,
    async close() {
      for (const client of clients) client.disconnect();
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function untilItAnswers(url: string): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on("error", () => {});
  try {
    while ((await client.ping().catch(() => "")) !== "PONG")
      await new Promise((done) => setTimeout(done, 20));
  } finally {
    client.disconnect();
  }
}
