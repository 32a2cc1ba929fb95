import { connect, type Socket } from "node:net";
import { type ErrorCode, HarnessError, messageOf } from "../../errors.js";
import { isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { gone } from "./control-of.js";
import { checkControlAddress } from "./control-place.js";
import { hello, readMessages, type Verb, writeMessage } from "./control-wire.js";
import type { ControlState, SessionControl } from "./session-control.js";

/** The control of a session of another process. */
export interface ConnectedControl extends SessionControl {
  /** The session goes on. */
  disconnect(): void;
  /** Resolves when the connection has ended, from either side. */
  readonly closed: Promise<void>;
}

export interface ConnectOptions {
  /** How long to wait for the hello. Default 5 s. */
  helloMs?: number | undefined;
  /** How long to wait for an answer. An interrupt takes until its turn has ended. Default 60 s. */
  answerMs?: number | undefined;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** State can hold the whole input of a call. */
const longestLine = 64 * 1024 * 1024;

/**
 * Connects to the session whose recording names this address (`control`). Rejects with `session_gone` if nobody listens there, or
 * if somebody else than this user could.
 */
export async function connectControl(
  address: string,
  { helloMs = 5000, answerMs = 60_000 }: ConnectOptions = {},
): Promise<ConnectedControl> {
  checkControlAddress(address);
  const socket = connect(address);
  const waiting = new Map<number, Waiting>();
  let count = 0;
  let why = "the session has ended, or its harness was killed";
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      for (const { reject } of waiting.values()) reject(gone(why));
      waiting.clear();
      resolve();
    });
  });
  // The close that follows says it.
  socket.on("error", (error) => {
    if (socket.connecting) why = `the session cannot be reached (${messageOf(error)})`;
  });
  await greeted(
    socket,
    helloMs,
    (message) => settle(waiting, message),
    closed,
    (reason) => {
      why = reason;
    },
  );

  function ask(verb: Verb, ...args: unknown[]): Promise<unknown> {
    if (!socket.writable) return Promise.reject(gone(why));
    const id = ++count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(gone(`the session did not answer within ${answerMs / 1000} s`));
      }, answerMs);
      const done = <T>(act: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          act(value);
        };
      };
      waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      writeMessage(socket, { id, do: verb, args });
    });
  }

  const act = async (verb: Verb, ...args: unknown[]): Promise<void> => void (await ask(verb, ...args));
  return {
    state: async () => (await ask("state")) as ControlState,
    send: async (prompt, options) => (await ask("send", prompt, options ?? {})) as { turnId: string },
    answer: (requestId, answer) => act("answer", requestId, answer),
    interrupt: () => act("interrupt"),
    setModel: (model) => act("setModel", model),
    close: () => act("close"),
    cancel: () => act("cancel"),
    disconnect() {
      why = "the connection to the session was closed";
      socket.destroy();
    },
    closed,
  };
}

/** Waits for the hello. Later messages go to `onMessage`. */
async function greeted(
  socket: Socket,
  helloMs: number,
  onMessage: (message: JsonObject) => void,
  closed: Promise<void>,
  because: (why: string) => void,
): Promise<void> {
  let isGreeted = false;
  let failure = gone("the session cannot be reached: nobody listens there any more");
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => give(`the session said nothing within ${helloMs / 1000} s`), helloMs);
    function give(why: string): void {
      because(why);
      failure = gone(why);
      socket.destroy();
    }
    readMessages(socket, {
      maxBytes: longestLine,
      onMessage(message) {
        if (isGreeted) return onMessage(message);
        if (message["harness"] !== hello.harness) return give("what listens there is not a live session");
        if (message["version"] !== hello.version)
          return give(
            `the session speaks version ${toText(message["version"])} of the control channel, not 1`,
          );
        isGreeted = true;
        clearTimeout(timer);
        resolve();
      },
      onBroken: (why) => give(`what listens there is not a live session (${why})`),
    });
    void closed.then(() => {
      clearTimeout(timer);
      reject(failure);
    });
  });
}

function toText(value: JsonValue | undefined): string {
  return typeof value === "number" ? String(value) : "?";
}

function settle(waiting: Map<number, Waiting>, { id, ok, error }: JsonObject): void {
  const found = typeof id === "number" ? waiting.get(id) : undefined;
  if (found === undefined) return;
  waiting.delete(id as number);
  if (error === undefined) return found.resolve(ok);
  const { code, message } = isObject(error) ? error : {};
  const words = typeof message === "string" ? message : "the session refused";
  found.reject(new HarnessError((typeof code === "string" ? code : "bad_request") as ErrorCode, words));
}
