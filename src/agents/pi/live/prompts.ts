import { asFlag, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { OpenTurn } from "./open-turn.js";
import type { RpcSession } from "./session.js";

/** What was said to Pi, and what it answered to that. */
export interface Prompts {
  /** `prompt` was sent. */
  prompted(command: JsonObject, out: Sink): void;
  /** `steer` or `follow_up` was sent. */
  steered(command: JsonObject, out: Sink): void;
  /** The answer to any command. */
  answered(response: JsonObject, out: Sink): void;
}

export function createPrompts(turn: OpenTurn, session: RpcSession): Prompts {
  /** Prompts during a turn that Pi may refuse, by the id of the command. */
  const unsure = new Map<string, string>();

  function answeredDuringTurn(id: string, text: string, response: JsonObject, out: Sink): void {
    unsure.delete(id);
    const error = errorOf(response);
    if (error !== undefined) out.emit({ type: "warning", message: error, code: "prompt_refused" });
    else if (dispositionOf(response) === "started") turn.begin(text, id, out);
    else session.say(text, out);
  }

  function answeredPrompt(response: JsonObject, out: Sink): void {
    const id = asText(response["id"]);
    const text = unsure.get(id ?? "");
    if (id !== undefined && text !== undefined) return answeredDuringTurn(id, text, response, out);
    if (turn.phase !== "sent" || turn.prompt === undefined || turn.prompt.id !== id) return;
    const error = errorOf(response);
    turn.prompt.isAccepted = error === undefined;
    if (error !== undefined || dispositionOf(response) === "handled") turn.endUnstarted(error, out);
  }

  return {
    prompted(command, out) {
      const text = asText(command["message"]) ?? "";
      const id = asText(command["id"]);
      if (turn.phase === "none" || turn.phase === "over") return turn.begin(text, id, out);
      if (id === undefined) return session.say(text, out);
      unsure.set(id, text);
      out.consume("prompt during a turn");
    },
    steered(command, out) {
      const text = asText(command["message"]) ?? "";
      if (turn.phase !== "none") return session.say(text, out);
      turn.keep(text);
      out.consume("kept for the next turn");
    },
    answered(response, out) {
      if (response["command"] === "prompt") return answeredPrompt(response, out);
      // Versions before 1.4.0 do not say that an extension has handled a prompt, but they are idle then.
      const isIdle = response["command"] === "get_state" && isIdleState(asObject(response["data"]));
      if (isIdle && turn.phase === "sent" && turn.prompt?.isAccepted) turn.endUnstarted(undefined, out);
    },
  };
}

/** What became of a prompt (1.4.0): `started`, `queued` or `handled`. */
function dispositionOf(response: JsonObject): string | undefined {
  return asText(asObject(response["data"])?.["disposition"]);
}

function errorOf(response: JsonObject): string | undefined {
  if (asFlag(response["success"]) === true) return undefined;
  return asText(response["error"]) ?? "Pi refused the prompt";
}

function isIdleState(state: JsonObject | undefined): boolean {
  return asFlag(state?.["isStreaming"]) === false && asFlag(state?.["isCompacting"]) !== true;
}
