import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { readTodos } from "../todos.js";
import type { AcpAgent } from "./agent.js";
import type { AcpCalls } from "./calls.js";
import type { AcpDialect, Voice } from "./dialect.js";
import type { AcpSpeech } from "./speech.js";
import type { AcpUsage } from "./usage.js";
import { metaOf } from "./wire.js";

/** `session/update`: what the agent says, thinks, does and plans. */
export interface AcpUpdates {
  update(update: JsonObject, out: Sink): void;
  beginTurn(prompt: string): void;
  endTurn(how: AnsweredTurn, out: Sink): void;
}

/** What is known of a turn when its prompt is answered. */
export interface AnsweredTurn {
  /** The answer has token counts, which an agent that gave up does not send. */
  hasFigures: boolean;
  /** The answer is an error, which says why the turn failed. */
  isRefused: boolean;
}

interface Parts {
  dialect: AcpDialect;
  agent: AcpAgent;
  speech: AcpSpeech;
  calls: AcpCalls;
  usage: AcpUsage;
  /** The agent reports another model. */
  modelChanged(answer: JsonObject, out: Sink): void;
}

export function createAcpUpdates({ dialect, agent, speech, calls, usage, modelChanged }: Parts): AcpUpdates {
  /** A text that reports a failure if the turn ends with it. */
  let suspect: { text: string; chunk: JsonObject } | undefined;
  /** The agent's own status says that the turn failed. */
  let hasGivenUp = false;
  /** The prompt is a command of the agent, such as `/help`. */
  let isCommand = false;

  function speakerOf(chunk: JsonObject): string | undefined {
    const marked = asText(asObject(chunk["_meta"])?.["parentToolCallId"]);
    return marked ?? (agent.facts.unmarked === undefined ? undefined : calls.subagentAtWork());
  }

  function say(text: string, chunk: JsonObject, out: Sink): void {
    const messageId = asText(chunk["messageId"]);
    speech.say({ text, messageId, speaker: speakerOf(chunk) }, out);
  }

  /** The text was the model's after all. */
  function release(out: Sink): void {
    if (suspect === undefined) return;
    const { text, chunk } = suspect;
    suspect = undefined;
    say(text, chunk, out);
  }

  function fail(message: string, out: Sink): void {
    speech.flush(out);
    out.run.failure = { message, isReported: true };
    out.emit({ type: "error", message });
  }

  const voices: { [V in Voice as V["as"]]: (voice: V, text: string, chunk: JsonObject, out: Sink) => void } =
    {
      failure: (_voice, text, _chunk, out) => fail(text.trim(), out),
      suspect(_voice, text, chunk, out) {
        release(out);
        // The agent itself answers its own commands.
        if (isCommand) return say(text, chunk, out);
        suspect = { text, chunk };
        out.consume("agent_message_chunk: held until the turn goes on or ends");
      },
      retry({ message }, _text, _chunk, out) {
        speech.withdraw(out);
        out.emit({ type: "warning", message });
      },
      warning({ message }, _text, _chunk, out) {
        speech.flush(out);
        out.emit({ type: "warning", message });
      },
      nothing: ({ rule }, _text, _chunk, out) => out.consume(rule),
    };

  function speak(voice: Voice, text: string, chunk: JsonObject, out: Sink): void {
    const handle = voices[voice.as] as (voice: Voice, text: string, chunk: JsonObject, out: Sink) => void;
    handle(voice, text, chunk, out);
  }

  const updates: Readonly<Record<string, (update: JsonObject, out: Sink) => void>> = {
    agent_message_chunk(chunk, out) {
      const tokens = metaOf(chunk, "usage");
      if (tokens !== undefined) {
        speech.flush(out);
        usage.request(tokens, asText(asObject(chunk["_meta"])?.["parentToolCallId"]), out);
        out.consume("agent_message_chunk: token counts");
      }
      const text = asObject(chunk["content"])?.["text"];
      if (typeof text !== "string") return out.emit({ type: "unknown", raw: chunk });
      if (text === "") return out.consume("agent_message_chunk: empty");
      const voice = dialect.voiceOf?.(text, chunk);
      if (voice !== undefined) return speak(voice, text, chunk, out);
      release(out);
      say(text, chunk, out);
    },
    agent_thought_chunk(chunk, out) {
      release(out);
      const text = asObject(chunk["content"])?.["text"];
      if (typeof text !== "string") return out.emit({ type: "unknown", raw: chunk });
      speech.think(dialect.thoughtOf?.(text) ?? text, speakerOf(chunk), out);
    },
    user_message_chunk: (_chunk, out) => out.consume("user_message_chunk: what harness sent"),
    tool_call(update, out) {
      release(out);
      calls.update(update, out);
    },
    tool_call_update: (update, out) => calls.update(update, out),
    plan(update, out) {
      speech.flush(out);
      out.plan(readTodos(update["entries"]) ?? [], {});
      out.consume("plan: unchanged");
    },
    usage_update: (update, out) => usage.updated(update, out),
    config_option_update(update, out) {
      modelChanged(update, out);
      out.consume("config_option_update");
    },
    session_info_update(update, out) {
      noteCodex(metaOf(update, "codex"), out);
      out.consume("session_info_update");
    },
    notice(update, out) {
      const message = [asText(update["title"]), asText(update["description"])].filter(Boolean).join(": ");
      out.emit({ type: "warning", message: message || "the agent sent a notice" });
    },
    available_commands_update: (_update, out) => out.consume("available_commands_update"),
    current_mode_update: (_update, out) => out.consume("current_mode_update"),
    compaction_update: (_update, out) => out.consume("compaction_update"),
    compaction_summary_chunk: (_update, out) => out.consume("compaction_summary_chunk"),
  };

  /** codex-acp reports retries here, and a failure only as a status. The error itself is ordinary text, which follows. */
  function noteCodex(codex: JsonObject | undefined, out: Sink): void {
    const error = asObject(codex?.["error"]);
    const message = asText(error?.["message"]);
    if (error?.["willRetry"] === true) speech.withdraw(out);
    if (message !== undefined) out.emit({ type: "warning", message });
    const status = asText(asObject(codex?.["threadStatus"])?.["type"]);
    if (status !== undefined) hasGivenUp = status === "systemError";
  }

  return {
    update(update, out) {
      const name = asText(update["sessionUpdate"]) ?? "";
      if (Object.hasOwn(updates, name)) updates[name]?.(update, out);
    },
    beginTurn(prompt) {
      isCommand = prompt.startsWith("/");
      suspect = undefined;
      hasGivenUp = false;
    },
    endTurn({ hasFigures, isRefused }, out) {
      const failure = isRefused || hasFigures ? undefined : suspect?.text;
      if (failure !== undefined) suspect = undefined;
      release(out);
      speech.flush(out);
      if (failure !== undefined) fail(failure.trim(), out);
      else if (hasGivenUp && !isRefused) fail(out.run.text?.trim() ?? "the agent reported a failure", out);
      hasGivenUp = false;
    },
  };
}
