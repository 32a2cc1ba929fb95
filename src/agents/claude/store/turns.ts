import type { FailureKind } from "../../../events/failure.js";
import { asArray, asCount, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { ClaudeStream } from "../../shared/claude-stream/mapping.js";
import type { StoredNumbers } from "./numbers.js";

/** The turns of a stored session. No line ends one: it has ended when a message without calls is the last one before the next prompt. */
export interface StoredTurns {
  /** Without a prompt, Claude Code began it by itself. */
  begin(prompt: string | undefined, out: Sink): void;
  end(how: "next" | "interrupted" | "file", out: Sink): void;
  /** A message of the main thread's assistant. */
  answered(message: JsonObject): void;
  /** Something else followed: the message before it was not the last one. */
  wentOn(): void;
  /** How long the turn took, as Claude Code itself measured it. */
  lasted(durationMs: number | undefined): void;
}

/** The last message of the main thread. */
interface LastMessage {
  stopReason: string | undefined;
  hasCall: boolean;
}

export function createStoredTurns(stream: ClaudeStream, numbers: StoredNumbers): StoredTurns {
  let last: LastMessage | undefined;
  let durationMs: number | undefined;

  const turns: StoredTurns = {
    begin(prompt, out) {
      turns.end("next", out);
      numbers.begin();
      out.live.beginTurn(prompt === undefined ? { origin: "agent" } : { prompt });
    },
    /** A turn without an end was cut off. If it is the last one of the file, the frame ends it together with the session. */
    end(how, out) {
      stream.flush(out);
      if (out.live.turnId === undefined) return;
      numbers.settle(out);
      const { run } = out;
      if (run.failure === undefined && last?.stopReason === "refusal")
        failBy("refusal", run.text ?? "the model refused to answer", undefined, out);
      if (run.failure !== undefined) run.terminal = "failure";
      else if (isComplete(last)) run.terminal = "success";
      const isOver = how !== "interrupted" && run.terminal !== undefined;
      if (isOver || how !== "file") out.live.endTurn({ durationMs, ...(!isOver && { isInterrupted: true }) });
      last = durationMs = undefined;
    },
    answered(message) {
      const blocks = asArray(message["content"]) ?? [];
      last = {
        stopReason: asText(message["stop_reason"]),
        hasCall: blocks.some((block) => asObject(block)?.["type"] === "tool_use"),
      };
    },
    wentOn() {
      last = undefined;
    },
    lasted(measured) {
      durationMs = measured;
    },
  };
  return turns;
}

/** Older versions do not have the reason on every line: then a message without calls is complete. */
function isComplete(last: LastMessage | undefined): boolean {
  if (last === undefined || last.hasCall) return false;
  return last.stopReason === undefined || ends.has(last.stopReason);
}

const ends: ReadonlySet<string> = new Set(["end_turn", "stop_sequence", "max_tokens"]);

/** `max_turns_reached`: the limit that the run was started with. */
export function exhausted(attachment: JsonObject, out: Sink): void {
  const most = asCount(attachment["maxTurns"]);
  const message = `Reached maximum number of turns${most === undefined ? "" : ` (${most})`}`;
  failBy("max_turns", message, "error_max_turns", out);
}

function failBy(kind: FailureKind, message: string, code: string | undefined, out: Sink): void {
  out.run.failure = { kind, message, code, isReported: false };
}
