import { asInteger, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { createHeldErrors } from "../held-errors.js";
import type { StoredTokens } from "./numbers.js";

/** The turns of a stored session. */
export interface StoredTurns {
  /** The user has asked. A prompt in a turn that goes on joins it. */
  asked(text: string, out: Sink): void;
  /** The main agent works: if no turn is open, it has begun one by itself. */
  works(out: Sink): void;
  /** The main agent has said something. If nothing follows, it is the answer. */
  answered(): void;
  /** A turn follows, or the file ends. The turn before it may have no end of its own. */
  over(how: "next" | "file", out: Sink): void;
  /** `task_complete`. */
  completed(payload: JsonObject, out: Sink): void;
  interrupted(out: Sink): void;
  /** An error that may be the cause of a failure. */
  erred(message: string, out: Sink): void;
  /** Where the agent works. */
  moved(cwd: string | undefined): void;
  /** Called when a turn begins. */
  onBegin(listener: () => void): void;
}

export function createStoredTurns(tokens: StoredTokens): StoredTurns {
  const errors = createHeldErrors();
  let prompt: string | undefined;
  let hasAnswered = false;
  let cwd: string | undefined;
  let begun = (): void => {};

  function begin(text: string | undefined, out: Sink): void {
    turns.over("next", out);
    begun();
    prompt = text;
    hasAnswered = false;
    out.session({ cwd });
    out.live.beginTurn(text === undefined ? { origin: "agent" } : { prompt: text });
  }

  const turns: StoredTurns = {
    asked(text, out) {
      if (out.live.turnId === undefined || hasAnswered) begin(text, out);
      else if (text !== prompt) return out.emit({ type: "agent", role: "user", message: text });
      out.consume("a prompt");
    },
    works(out) {
      if (out.live.turnId === undefined) begin(undefined, out);
      hasAnswered = false;
    },
    answered() {
      hasAnswered = true;
    },
    /** Versions that do not store the end of a turn: it has ended if the last thing in it was a message. */
    over(how, out) {
      if (out.live.turnId === undefined) return;
      if (hasAnswered) {
        errors.overcome(out);
        out.run.terminal = "success";
      } else errors.flush(out);
      tokens.settle(out);
      const isOver = hasAnswered || out.run.failure !== undefined;
      if (isOver || how !== "file") out.live.endTurn(isOver ? {} : { isInterrupted: true });
    },
    completed(payload, out) {
      if (out.live.turnId === undefined) return;
      const error = asObject(payload["error"]);
      if (error === undefined) errors.overcome(out);
      else errors.failed(asText(error["message"]), "the turn failed", out);
      out.run.terminal = error === undefined ? "success" : "failure";
      if (out.run.failure !== undefined) out.run.failure.status = statusIn(error);
      tokens.settle(out);
      out.live.endTurn({ durationMs: asNumber(payload["duration_ms"]) });
    },
    interrupted(out) {
      tokens.settle(out);
      out.live.endTurn({ isInterrupted: true });
    },
    erred(message, out) {
      errors.hold({ message, code: undefined, line: out.lineNumber });
    },
    moved(directory) {
      cwd = directory ?? cwd;
    },
    onBegin(listener) {
      begun = listener;
    },
  };
  return turns;
}

/** The HTTP status that `codex_error_info` names. */
function statusIn(error: JsonObject | undefined): number | undefined {
  const [details] = Object.values(asObject(error?.["codex_error_info"]) ?? {});
  return asInteger(asObject(details)?.["http_status_code"]);
}
