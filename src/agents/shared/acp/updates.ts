import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { readTodos } from "../todos.js";
import type { AcpCalls } from "./calls.js";
import type { AcpDialect } from "./dialect.js";
import type { AcpSpeech } from "./speech.js";
import type { AcpUsage } from "./usage.js";
import type { AcpVoices } from "./voices.js";
import { metaOf } from "./wire.js";

interface Parts {
  dialect: AcpDialect;
  speech: AcpSpeech;
  voices: AcpVoices;
  calls: AcpCalls;
  usage: AcpUsage;
  /** The agent reports another model. */
  modelChanged(answer: JsonObject, out: Sink): void;
}

/** Reads `session/update`: what the agent says, thinks, does and plans. An update that no rule knows emits nothing. */
export function createAcpUpdates(parts: Parts): (update: JsonObject, out: Sink) => void {
  const { dialect, speech, voices, calls, usage, modelChanged } = parts;

  const updates: Readonly<Record<string, (update: JsonObject, out: Sink) => void>> = {
    agent_message_chunk(chunk, out) {
      const tokens = metaOf(chunk, "usage");
      if (tokens !== undefined) {
        speech.flush(out);
        usage.request(tokens, asText(asObject(chunk["_meta"])?.["parentToolCallId"]), out);
      }
      const text = asObject(chunk["content"])?.["text"];
      if (typeof text !== "string") return out.emit({ type: "unknown", raw: chunk });
      if (text === "") return out.consume("agent_message_chunk: empty");
      voices.say(text, chunk, out);
    },
    agent_thought_chunk(chunk, out) {
      voices.release(out);
      const text = asObject(chunk["content"])?.["text"];
      if (typeof text !== "string") return out.emit({ type: "unknown", raw: chunk });
      speech.think(dialect.thoughtOf?.(text) ?? text, voices.speakerOf(chunk), out);
    },
    user_message_chunk: (_chunk, out) => out.consume("user_message_chunk: what harness sent"),
    tool_call(update, out) {
      voices.release(out);
      calls.update(update, out);
    },
    tool_call_update: calls.update,
    plan(update, out) {
      speech.flush(out);
      out.plan(readTodos(update["entries"]) ?? [], {});
      out.consume("plan: unchanged");
    },
    usage_update: usage.updated,
    config_option_update(update, out) {
      modelChanged(update, out);
      out.consume("config_option_update");
    },
    session_info_update(update, out) {
      noteCodex(metaOf(update, "codex"), parts, out);
      out.consume("session_info_update");
    },
    notice(update, out) {
      const message = [asText(update["title"]), asText(update["description"])].filter(Boolean).join(": ");
      out.emit({ type: "warning", message: message || "the agent sent a notice" });
    },
  };

  return (update, out) => {
    const name = asText(update["sessionUpdate"]) ?? "";
    if (Object.hasOwn(updates, name)) updates[name]?.(update, out);
    else if (withoutEvents.has(name)) out.consume(name);
  };
}

/** Updates about the session that no event has a place for. */
const withoutEvents: ReadonlySet<string> = new Set([
  "available_commands_update",
  "current_mode_update",
  "compaction_update",
  "compaction_summary_chunk",
]);

/** codex-acp reports retries here, and a failure only as a status. The error itself is ordinary text, which follows. */
function noteCodex(codex: JsonObject | undefined, { speech, voices }: Parts, out: Sink): void {
  const error = asObject(codex?.["error"]);
  const message = asText(error?.["message"]);
  if (error?.["willRetry"] === true) speech.withdraw(out);
  if (message !== undefined) out.emit({ type: "warning", message });
  const status = asText(asObject(codex?.["threadStatus"])?.["type"]);
  if (status !== undefined) voices.status(status === "systemError");
}
