import type { Answer } from "../../../src/agents/live-contract.js";
import { postJson, RefusedError, runPath } from "../server/api.js";
import { say } from "../ui/toast.js";

/** What can be done with a live session. False: it was refused, and a message says why. */
export interface SessionActions {
  send(prompt: string, whileBusy: "queue" | "steer"): Promise<boolean>;
  answer(requestId: string, answer: Answer): Promise<boolean>;
  interrupt(): Promise<boolean>;
  setModel(model: string): Promise<boolean>;
  close(): Promise<boolean>;
}

export function createSessionActions(id: string): SessionActions {
  async function post(verb: string, body?: unknown): Promise<boolean> {
    try {
      await postJson(`${runPath(id)}/session/${verb}`, body);
      return true;
    } catch (error) {
      // Somebody else was first: the card closes by itself.
      const isLate = error instanceof RefusedError && error.code === "request_gone";
      say(isLate ? "It was answered elsewhere, or taken back." : messageOf(error), !isLate);
      return false;
    }
  }
  return {
    send: (prompt, whileBusy) => post("send", { prompt, whileBusy }),
    answer: (requestId, answer) => post("answer", { requestId, answer }),
    interrupt: () => post("interrupt"),
    setModel: (model) => post("model", { model }),
    close: () => post("close"),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
