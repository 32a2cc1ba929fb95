import type { FailureKind } from "../../events/failure.js";
import { asFlag, asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Finished, Mapping, OpenCall, Sink, TranslatorOptions } from "../contract.js";
import { createGeminiStream } from "../shared/gemini-stream/mapping.js";
import type { StreamedMessage } from "../shared/streamed-message.js";
import { emitLoneResult } from "./lone-results.js";
import { createBobProse } from "./prose.js";
import { createReplayFilter } from "./replay.js";
import { emitSuggestedEdits } from "./suggested-edits.js";
import { bobSubagentTools, bobTools } from "./tools.js";
import { bobTokens } from "./usage.js";

/** Bob 1.x `--output-format stream-json` and 2.x `run --format stream-json`. Both print Gemini's records. */
export function createBobMapping(options: TranslatorOptions): Mapping {
  const isHistory = createReplayFilter(options);
  const answers = createAnswers();
  const stream = createGeminiStream({
    tools: bobTools,
    subagentTools: bobSubagentTools,
    tokensOf: bobTokens,
    prose: createBobProse(),
    startCall: answers.start,
    endCall,
    loneResult: (record, how, out) => answers.end(record, how, out) || emitLoneResult(record, how, out),
    result,
    statusKinds,
    other: emitSuggestedEdits,
  });
  return {
    ...stream,
    record(record, out) {
      if (isHistory(record)) return out.consume("history that --resume replays");
      stream.record(record, out);
    },
  };
}

const statusKinds: Readonly<Record<string, FailureKind>> = {
  max_cost_exceeded: "budget",
  max_turns_exceeded: "max_turns",
  cancelled: "cancelled",
};

/**
 * 1.x sends its answer as a call of `attempt_completion`, and repeats the text as the result of that call. The
 * answer is a message, not a tool. If the assistant had begun to stream it, both are the same message.
 */
function createAnswers() {
  const calls = new Set<string>();
  return {
    start(record: JsonObject, message: StreamedMessage, out: Sink): boolean {
      const callId = asText(record["tool_id"]);
      const answer = asText(asObject(record["parameters"])?.["result"])?.trim();
      if (record["tool_name"] !== "attempt_completion" || callId === undefined || !answer) return false;
      calls.add(callId);
      if (!answer.startsWith(message.text().trim())) message.complete(out);
      message.complete(out, answer);
      return true;
    },
    end(record: JsonObject, how: Finished, out: Sink): boolean {
      if (!calls.delete(asText(record["tool_id"]) ?? "") || how.isSuccess === false) return false;
      out.consume("tool_result: the answer again");
      return true;
    },
  };
}

/**
 * The error of a failed command holds its exit code: `Error from tool execute_command: Exit code: 1` (2.x). How a command in the
 * background ends is not reported.
 */
function endCall(call: OpenCall, how: Finished, out: Sink): void {
  const isOpen = how.isSuccess === true && asFlag(asObject(call.input)?.["background"]) === true;
  const { output, native, details } = how;
  const isSuccess = isOpen ? undefined : how.isSuccess;
  out.finish(call, { isSuccess, output, native, details, exitCode: exitCodeIn(how) });
}

function exitCodeIn({ isSuccess, output }: Finished): number | undefined {
  if (isSuccess !== false || typeof output !== "string") return undefined;
  return numberIn(output, /^(?:Error from tool execute_command: )?Exit code: (\d{1,3})\b/);
}

/** Only here does 2.x name its task, which is the id for `--resume`. It may also repeat its last message. */
function result(record: JsonObject, out: Sink): void {
  const taskId = asText(asObject(record["stats"])?.["task_id"]);
  if (taskId !== undefined) {
    out.identify(taskId);
    out.session({});
  }
  const message = asText(record["last_message"]) ?? asText(record["result"]);
  if (message === undefined || message.trim() === out.run.text?.trim()) return;
  out.run.text = message;
  out.emit({ type: "agent", message });
}
