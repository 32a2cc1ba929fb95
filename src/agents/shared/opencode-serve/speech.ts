import { asFlag, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import { withdrawnMessage } from "../withdrawn-text.js";
import type { Thread } from "./threads.js";

/** What the model says and thinks: pieces as they come, and each part whole at its end. */
export interface ServedSpeech {
  /** A text or reasoning part, in any state. */
  updated(part: JsonObject, thread: Thread, out: Sink): void;
  /** A piece of a part. */
  delta(properties: JsonObject, thread: Thread, out: Sink): void;
  /** The model is asked. Texts of the same session that are not whole belong to a request that was cut, and are withdrawn. */
  stepStarted(thread: Thread, out: Sink): void;
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

export function createServedSpeech(): ServedSpeech {
  /** Parts that are not whole. */
  const said = new Map<string, Said>();
  const whole = new Set<string>();
  const ids = createRetriedIds();

  function of(part: JsonObject, id: string, thread: Thread): Said {
    const type = part["type"] === "reasoning" ? "reasoning" : "text";
    const known = said.get(id) ?? { thread, part, type, streamed: "" };
    said.set(id, known);
    return known;
  }

  function close(id: string): void {
    said.delete(id);
    whole.add(id);
  }

  return {
    updated(part, thread, out) {
      if (asFlag(part["synthetic"]) === true || asFlag(part["ignored"]) === true)
        return out.consume("text: a notice of the agent's own program");
      const id = asText(part["id"]) ?? "";
      if (whole.has(id)) return out.consume("text: already whole");
      const { type, streamed } = of(part, id, thread);
      if (asNumber(asObject(part["time"])?.["end"]) === undefined)
        return out.consume(`${type}: not whole yet`);
      close(id);
      if (type === "text") return thread.parts.text(ids.renamed(part), { part }, out);
      if (streamed !== "") return out.consume("reasoning: emitted in pieces");
      thread.parts.reasoning(part, { part }, out);
    },
    delta({ partID, field, delta, messageID }, { parentCallId }, out) {
      const one = said.get(asText(partID) ?? "");
      if (field !== "text" || typeof delta !== "string" || delta === "")
        return out.consume("message.part.delta: not a piece of a text");
      if (one === undefined) return out.consume("message.part.delta: of a part that is not open");
      one.streamed += delta;
      if (one.type === "reasoning") return out.emit({ type: "thinking", delta, parentCallId });
      out.emit({ type: "text", delta, messageId: ids.of(messageID), parentCallId });
    },
    stepStarted(thread, out) {
      const cut = [...said].filter(([, one]) => one.thread.id === thread.id);
      for (const [id] of cut) close(id);
      const texts = cut.filter(([, { type, streamed }]) => type === "text" && streamed.trim() !== "");
      if (texts.length === 0) return;
      for (const [, { part }] of texts) ids.again(part["messageID"]);
      const { parentCallId } = thread;
      out.emit({ type: "warning", message: withdrawnMessage, code: "text_withdrawn", parentCallId });
    },
    turnEnded(out) {
      for (const [id, { type, streamed, part, thread }] of [...said]) {
        close(id);
        if (type === "text" && streamed.trim() !== "")
          thread.parts.text(ids.renamed({ ...part, text: streamed }), { part }, out);
      }
    },
  };
}

/** A request that was cut is made again for the same message, whose pieces then need another id. */
function createRetriedIds() {
  const retries = new Map<string, number>();

  function of(messageId: JsonValue | undefined): string | undefined {
    const id = asText(messageId);
    const count = id === undefined ? undefined : retries.get(id);
    return count === undefined ? id : `${id}#${count + 1}`;
  }

  return {
    of,
    again(messageId: JsonValue | undefined): void {
      const id = asText(messageId);
      if (id !== undefined) retries.set(id, (retries.get(id) ?? 0) + 1);
    },
    renamed(part: JsonObject): JsonObject {
      const messageID = of(part["messageID"]);
      return messageID === undefined ? part : { ...part, messageID };
    },
  };
}
