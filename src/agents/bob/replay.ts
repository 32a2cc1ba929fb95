import type { JsonObject } from "../../text/json.js";
import type { TranslatorOptions } from "../contract.js";

/**
 * Decides which records of a resumed run are history: 2.x replays the earlier turns first. They end with
 * the echo of this run's prompt or with the first thing the assistant says; 1.x begins with `init` and
 * replays nothing.
 */
export function createReplayFilter(options: TranslatorOptions): (record: JsonObject) => boolean {
  let isReplaying = options.isResumed === true;
  const prompt = options.prompt?.trim();
  return (record) => {
    if (!isReplaying) return false;
    isReplaying = isHistory(record, prompt);
    return isReplaying;
  };
}

function isHistory(record: JsonObject, prompt: string | undefined): boolean {
  switch (record["type"]) {
    case "tool_use":
    case "tool_result":
      return true;
    case "message":
      if (record["role"] !== "user") return false;
      return typeof record["content"] !== "string" || record["content"].trim() !== prompt;
    default:
      return false;
  }
}
