import { asFlag, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { Thread } from "./threads.js";

/** What the model says and thinks: pieces as they come, and each part whole at its end. */
export interface Speech {
  /** A text or reasoning part, in any state. */
  updated(part: JsonObject, thread: Thread, out: Sink): void;
  /** A piece of a part. */
  delta(properties: JsonObject, thread: Thread, out: Sink): void;
  /** The turn ends: texts that broke off are reported as far as they came. */
  turnEnded(out: Sink): void;
}

interface Said {
  thread: Thread;
  part: JsonObject;
  type: "text" | "reasoning";
  /** What was emitted in pieces. */
  streamed: string;
}

export function createSpeech(): Speech {
  const said = new Map<string, Said>();
  const whole = new Set<string>();

  function of(part: JsonObject, thread: Thread): Said {
    const id = asText(part["id"]) ?? "";
    const type = part["type"] === "reasoning" ? "reasoning" : "text";
    const known = said.get(id) ?? { thread, part, type, streamed: "" };
    said.set(id, known);
    return known;
  }

  return {
    updated(part, thread, out) {
      if (asFlag(part["synthetic"]) === true || asFlag(part["ignored"]) === true)
        return out.consume("text: a notice of the agent's own program");
      const id = asText(part["id"]) ?? "";
      if (whole.has(id)) return out.consume("text: already whole");
      const one = of(part, thread);
      if (asNumber(asObject(part["time"])?.["end"]) === undefined)
        return out.consume(`${one.type}: not whole yet`);
      said.delete(id);
      whole.add(id);
      if (one.type === "text") return thread.parts.text(part, { part }, out);
      if (one.streamed !== "") return out.consume("reasoning: emitted in pieces");
      thread.parts.reasoning(part, { part }, out);
    },
    delta({ partID, field, delta, messageID }, { parentCallId }, out) {
      const one = said.get(asText(partID) ?? "");
      if (field !== "text" || typeof delta !== "string" || delta === "")
        return out.consume("message.part.delta: not a piece of a text");
      if (one === undefined) return out.consume("message.part.delta: of a part that is not open");
      one.streamed += delta;
      if (one.type === "reasoning") return out.emit({ type: "thinking", delta, parentCallId });
      out.emit({ type: "text", delta, messageId: asText(messageID), parentCallId });
    },
    turnEnded(out) {
      for (const [id, { type, streamed, part, thread }] of said) {
        whole.add(id);
        if (type === "text" && streamed.trim() !== "")
          thread.parts.text({ ...part, text: streamed }, { part }, out);
      }
      said.clear();
    },
  };
}
