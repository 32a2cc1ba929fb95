import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { AcpAgent } from "./agent.js";
import type { AcpCalls } from "./calls.js";
import type { AcpDialect, Voice } from "./dialect.js";
import type { AcpSpeech } from "./speech.js";

/** Who speaks in a chunk of text: the model, a subagent, or the agent itself, which may report that it gave up. */
export interface AcpVoices {
  /** A chunk with a text. */
  say(text: string, chunk: JsonObject, out: Sink): void;
  /** The call of the subagent that speaks. */
  speakerOf(chunk: JsonObject): string | undefined;
  /** The turn goes on, so a text that was held is the model's. */
  release(out: Sink): void;
  /** The agent's own status says whether the turn has failed so far. */
  status(hasFailed: boolean): void;
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
}

type Handle<V extends Voice> = (voice: V, chunk: { text: string; chunk: JsonObject }, out: Sink) => void;

export function createAcpVoices({ dialect, agent, speech, calls }: Parts): AcpVoices {
  /** A text that reports a failure if the turn ends with it. */
  let suspect: { text: string; chunk: JsonObject } | undefined;
  let hasFailed = false;
  /** The prompt is a command of the agent, such as `/help`, which the agent itself answers. */
  let isCommand = false;

  function speakerOf(chunk: JsonObject): string | undefined {
    const marked = asText(asObject(chunk["_meta"])?.["parentToolCallId"]);
    return marked ?? (agent.facts.unmarked === undefined ? undefined : calls.subagentAtWork());
  }

  function speak(text: string, chunk: JsonObject, out: Sink): void {
    speech.say({ text, messageId: asText(chunk["messageId"]), speaker: speakerOf(chunk) }, out);
  }

  function release(out: Sink): void {
    if (suspect === undefined) return;
    const { text, chunk } = suspect;
    suspect = undefined;
    speak(text, chunk, out);
  }

  function fail(message: string, out: Sink): void {
    speech.flush(out);
    out.run.failure = { message, isReported: true };
    out.emit({ type: "error", message });
  }

  const voices: { [V in Voice as V["as"]]: Handle<V> } = {
    failure: (_voice, { text }, out) => fail(text.trim(), out),
    suspect(_voice, { text, chunk }, out) {
      release(out);
      if (isCommand) return speak(text, chunk, out);
      suspect = { text, chunk };
      out.consume("agent_message_chunk: held until the turn goes on or ends");
    },
    retry({ message }, _chunk, out) {
      speech.withdraw(out);
      out.emit({ type: "warning", message });
    },
    warning({ message }, _chunk, out) {
      speech.flush(out);
      out.emit({ type: "warning", message });
    },
    nothing: ({ rule }, _chunk, out) => out.consume(rule),
  };

  return {
    say(text, chunk, out) {
      const voice = dialect.voiceOf?.(text, chunk);
      if (voice !== undefined) return (voices[voice.as] as Handle<Voice>)(voice, { text, chunk }, out);
      release(out);
      speak(text, chunk, out);
    },
    speakerOf,
    release,
    status(failed) {
      hasFailed = failed;
    },
    beginTurn(prompt) {
      isCommand = prompt.startsWith("/");
      suspect = undefined;
      hasFailed = false;
    },
    endTurn({ hasFigures, isRefused }, out) {
      const failure = isRefused || hasFigures ? undefined : suspect?.text;
      if (failure !== undefined) suspect = undefined;
      release(out);
      speech.flush(out);
      if (failure !== undefined) fail(failure.trim(), out);
      else if (hasFailed && !isRefused) fail(out.run.text?.trim() ?? "the agent reported a failure", out);
      hasFailed = false;
    },
  };
}
