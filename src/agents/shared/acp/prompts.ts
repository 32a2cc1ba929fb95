import { asArray, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { AcpDialect, Cause } from "./dialect.js";
import { causeOf, type TurnStop, turnStopOf } from "./failure.js";
import { keyOf, textOf, type WireId } from "./wire.js";

/**
 * Prompts and the turns that they begin. The answer to a prompt is the end of its turn. A prompt that is sent
 * while another one is open joins that turn, which ends when all of them are answered: agents fold the second prompt into the
 * running turn, queue it, refuse it, or cancel the first one.
 */
export interface Prompts {
  sent(id: WireId, params: JsonObject, out: Sink): void;
  /** `session/cancel` was sent. A prompt after it does not join the turn, even if the cancelled one is not answered yet. */
  cancelled(out: Sink): void;
  /** False if the id is not that of an open prompt. */
  answered(id: WireId, answer: JsonObject, out: Sink): boolean;
  refused(id: WireId, error: JsonObject, out: Sink): boolean;
}

interface Parts {
  dialect: AcpDialect;
  /** The figures and the words of the turn. */
  begins(prompt: string): void;
  answered(answer: JsonObject, out: Sink): void;
  ends(about: { isRefused: boolean }, out: Sink): void;
}

export function createPrompts({ dialect, begins, answered, ends }: Parts): Prompts {
  const open = new Map<string, { hasJoined: boolean }>();
  /** How the prompts of this turn were answered. One that was cancelled does not count if another one was not. */
  let outcome: TurnStop | undefined;
  let failure: Cause | undefined;
  let isCancelled = false;

  function begin(prompt: string, out: Sink): void {
    if (isCancelled && open.size > 0) {
      ends({ isRefused: true }, out);
      out.live.endTurn({ isInterrupted: true });
    }
    open.clear();
    outcome = undefined;
    failure = undefined;
    isCancelled = false;
    begins(prompt);
    out.live.beginTurn({ prompt });
  }

  function close(key: string, out: Sink): void {
    open.delete(key);
    if (open.size > 0) return;
    ends({ isRefused: failure !== undefined }, out);
    const failed = failure ?? outcome?.failure;
    if (failed !== undefined && out.run.failure === undefined) {
      out.emit({ type: "error", message: failed.message, code: failure?.code });
      out.run.failure = { ...failed, isReported: true };
    }
    out.run.terminal = out.run.failure === undefined ? "success" : "failure";
    out.run.terminalLine = out.lineNumber;
    const isInterrupted = outcome?.isInterrupted === true && failed === undefined;
    if (isInterrupted) out.run.terminal = undefined;
    out.live.endTurn(isInterrupted ? { isInterrupted } : {});
  }

  return {
    sent(id, params, out) {
      const prompt = textOf(asArray(params["prompt"]));
      const hasJoined = open.size > 0 && !isCancelled && out.live.turnId !== undefined;
      if (hasJoined) out.emit({ type: "agent", role: "user", message: prompt });
      else begin(prompt, out);
      open.set(keyOf(id), { hasJoined });
    },
    cancelled(out) {
      isCancelled = true;
      out.live.interruptTurn();
    },
    answered(id, answer, out) {
      const key = keyOf(id);
      if (!open.has(key)) return false;
      const reason = turnStopOf(answer);
      if (reason === undefined) {
        const name = asText(answer["stopReason"]) ?? "none";
        out.emit({ type: "warning", message: `the agent stopped for a reason that is not known: ${name}` });
      }
      if (reason?.warning !== undefined) out.emit({ type: "warning", ...reason.warning });
      if (outcome === undefined || reason?.isInterrupted !== true) outcome = reason ?? {};
      answered(answer, out);
      close(key, out);
      return true;
    },
    refused(id, error, out) {
      const key = keyOf(id);
      const prompt = open.get(key);
      if (prompt === undefined) return false;
      const cause = dialect.causeOf?.(error) ?? causeOf(error);
      // Goose refuses a second prompt, and the turn goes on.
      if (prompt.hasJoined && open.size > 1)
        out.emit({ type: "warning", message: `the prompt was refused: ${cause.message}` });
      else failure = cause;
      close(key, out);
      return true;
    },
  };
}
