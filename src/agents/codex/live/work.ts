import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OwnRequests } from "./own-requests.js";
import { toUserInput } from "./user-input.js";

/**
 * The turns that run: that of the session, and those of its subagents, which go on by themselves when the session's turn is
 * interrupted. A command also goes on. Only `thread/backgroundTerminals/clean` ends it, after the turn has ended (0.166.0).
 */
export interface Work {
  /** The session's thread. */
  follow(threadId: string): void;
  /** A prompt is sent, or was refused: no turn runs. */
  prompted(): void;
  /** `ending`: a thread whose turn an answer already ends. */
  interrupt(ending?: string): void;
  /** Adds to the running turn, as soon as that has started. */
  steer(text: string): Promise<void>;
  notified(method: string, params: JsonObject): void;
}

export function createWork({ send }: OwnRequests): Work {
  /** The running turn of each thread. */
  const running = new Map<string, string>();
  const stopped = new Set<string>();
  let own: string | undefined;
  let isStopping = false;
  const steering: { text: string; resolve(): void; reject(error: Error): void }[] = [];

  /** Codex refuses to interrupt a turn that it has not started, so this waits for the start. */
  function stop(threadId: string, turnId: string): void {
    if (stopped.has(turnId)) return;
    stopped.add(turnId);
    send("turn/interrupt", { threadId, turnId });
  }

  function sendSteering(): void {
    const turnId = running.get(own ?? "");
    if (turnId === undefined) return;
    for (const { text, resolve, reject } of steering.splice(0)) {
      const params = { threadId: own ?? "", expectedTurnId: turnId, input: toUserInput(text) };
      send("turn/steer", params, (_result, error) => (error ? reject(new Error(error)) : resolve()));
    }
  }

  function dropSteering(): void {
    for (const { reject } of steering.splice(0)) reject(new Error("no turn runs"));
  }

  return {
    follow(threadId) {
      own = threadId;
    },
    prompted() {
      isStopping = false;
      dropSteering();
    },
    interrupt(ending) {
      isStopping = true;
      for (const [threadId, turnId] of running) {
        if (threadId === ending) stopped.add(turnId);
        else stop(threadId, turnId);
      }
    },
    steer: (text) =>
      new Promise((resolve, reject) => {
        steering.push({ text, resolve, reject });
        sendSteering();
      }),
    notified(method, params) {
      const threadId = asText(params["threadId"]);
      const turn = asObject(params["turn"]);
      const turnId = asText(turn?.["id"]);
      if (threadId === undefined || turnId === undefined) return;
      if (method === "turn/started") {
        running.set(threadId, turnId);
        if (isStopping || stopped.has(asText(turn?.["rootTurnId"]) ?? "")) stop(threadId, turnId);
        if (threadId === own) sendSteering();
      } else if (method === "turn/completed") {
        if (running.get(threadId) === turnId) running.delete(threadId);
        if (turn?.["status"] === "interrupted") send("thread/backgroundTerminals/clean", { threadId });
        if (threadId !== own) return;
        isStopping = false;
        dropSteering();
      }
    },
  };
}
