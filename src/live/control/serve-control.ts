import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import type { Answer } from "../../agents/live-contract.js";
import { HarnessError, isHarnessError, messageOf } from "../../errors.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { makeControlPlace } from "./control-place.js";
import { hello, readMessages, type Verb, verbs, writeMessage } from "./control-wire.js";
import type { SessionControl } from "./session-control.js";
import { sweepControlPlaces } from "./sweep-places.js";

/** A session that others can reach. */
export interface ServedControl {
  /** For `connectControl`. */
  readonly address: string;
  /** Ends every connection and removes the socket. */
  close(): void;
}

export interface ControlLimits {
  /** Connections at once. Another one is closed at once. */
  clients: number;
  /** Bytes of one line of a client. */
  lineBytes: number;
  /** What one client may have asked for without an answer yet. More is refused. */
  pending: number;
  /** Bytes of answers that a client has not read. One with more is disconnected. */
  unreadBytes: number;
}

const defaultLimits: ControlLimits = {
  clients: 16,
  lineBytes: 8 * 1024 * 1024,
  pending: 64,
  unreadBytes: 64 * 1024 * 1024,
};

/** How long the last answers may take to be read. */
const lastWordsMs = 1000;

/**
 * Lets other processes of the same user steer a session. The socket does not keep this process alive. Rejects if the system does
 * not allow a socket.
 */
export async function serveControl(
  control: SessionControl,
  limits: Partial<ControlLimits> = {},
): Promise<ServedControl> {
  const all = { ...defaultLimits, ...limits };
  const place = makeControlPlace();
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    if (clients.size >= all.clients) return void socket.destroy();
    clients.add(socket);
    socket.on("close", () => clients.delete(socket));
    serveClient(socket, control, all);
  });

  function close(): void {
    server.close();
    for (const socket of clients) {
      socket.destroySoon();
      // A client that does not read would keep its connection.
      setTimeout(() => socket.destroy(), lastWordsMs).unref();
    }
    place.remove();
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      place.remove();
      reject(error);
    });
    server.listen(place.address, resolve);
    server.unref();
  });
  sweepOnce(dirname(dirname(place.address)));
  // Nothing that goes wrong with the socket is the session's problem.
  server.on("error", () => undefined);
  return { address: place.address, close };
}

let isSwept = process.platform === "win32";

/** Once in each process is enough, and it keeps nobody waiting. */
function sweepOnce(base: string): void {
  if (!isSwept) void sweepControlPlaces(base);
  isSwept = true;
}

function serveClient(socket: Socket, control: SessionControl, limits: ControlLimits): void {
  let pending = 0;
  socket.unref();
  socket.on("error", () => socket.destroy());

  function reply(message: unknown): void {
    writeMessage(socket, message);
    if (socket.writableLength > limits.unreadBytes) socket.destroy();
  }

  async function handle(message: JsonObject): Promise<void> {
    const id = idOf(message);
    if (pending >= limits.pending) return reply({ id, error: toError(tooMany(limits.pending)) });
    pending += 1;
    try {
      const ok = await perform(control, message);
      reply({ id, ok: ok ?? null });
    } catch (error) {
      reply({ id, error: toError(error) });
    } finally {
      pending -= 1;
    }
  }

  reply(hello);
  readMessages(socket, {
    maxBytes: limits.lineBytes,
    onMessage: (message) => void handle(message),
    onBroken(why) {
      reply({ error: toError(new HarnessError("bad_request", `${why}; the connection is closed`)) });
      socket.destroySoon();
    },
  });
}

/** What is deeply nested could not be written back. */
function idOf({ id }: JsonObject): JsonValue {
  return typeof id === "string" || typeof id === "number" ? id : null;
}

async function perform(control: SessionControl, message: JsonObject): Promise<unknown> {
  const { do: verb, args = [] } = message;
  if (typeof verb !== "string" || !verbs.has(verb)) {
    const known = [...verbs].join(", ");
    throw new HarnessError("bad_request", `a session cannot do ${JSON.stringify(verb)}; it can do: ${known}`);
  }
  if (!Array.isArray(args)) throw new HarnessError("bad_request", "`args` must be a list");
  // The session checks what it is given: its own callers may have no types either.
  const given: readonly unknown[] = args;
  const [first, second] = given;
  const ways: Record<Verb, () => Promise<unknown>> = {
    state: () => control.state(),
    send: () => control.send(first as string, (second ?? {}) as object),
    answer: () => control.answer(first as string, second as Answer),
    interrupt: () => control.interrupt(),
    setModel: () => control.setModel(first as string),
    close: () => control.close(),
    cancel: () => control.cancel(),
  };
  return ways[verb as Verb]();
}

function tooMany(pending: number): HarnessError {
  const message = `${pending} requests of this client wait for an answer; wait for one of them`;
  return new HarnessError("session_busy", message);
}

function toError(error: unknown): { code: string; message: string } {
  const code = isHarnessError(error) ? (error.code ?? "bad_request") : "bad_request";
  return { code, message: messageOf(error) };
}
