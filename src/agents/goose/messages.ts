import { asArray, asFlag, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Sink } from "../contract.js";
import type { Calls } from "./calls.js";
import { createVoices, fail, isGivingUp, isLastNotice } from "./own-voice.js";
import { createSpeech, type Speech } from "./speech.js";

/** `message` records: blocks of what was said, thought, called and answered, in order. */
export interface Messages {
  record(record: JsonObject, out: Sink): void;
  /** The run is over, or something else follows: the message so far is complete. */
  flush(out: Sink): void;
}

/** What the blocks of a message have in common. */
interface Context {
  isUser: boolean;
  messageId: string | undefined;
  hasInference: boolean;
}

type HandleBlock = (block: JsonObject, context: Context, out: Sink) => void;

export function createMessages(knownModel: () => string | undefined, calls: Calls): Messages {
  const speech = createSpeech();
  const blocks = createBlocks(speech, calls);
  let model: string | undefined;

  function announce(inference: JsonObject | undefined, out: Sink): void {
    const requested = asText(inference?.["requestedModel"]);
    if (requested === undefined || requested === (model ?? knownModel())) return;
    model = requested;
    out.session({ model });
  }

  return {
    record(record, out) {
      const message = asObject(record["message"]);
      const content = asArray(message?.["content"]);
      if (message === undefined || content === undefined) return;
      const metadata = asObject(message["metadata"]);
      const inference = asObject(metadata?.["inference"]);
      announce(inference, out);
      const context = {
        isUser: message["role"] === "user",
        messageId: asText(message["id"]) ?? asText(record["id"]),
        hasInference: inference !== undefined,
      };
      for (const value of content) {
        const block = asObject(value);
        const type = asText(block?.["type"]) ?? "";
        const handle = Object.hasOwn(blocks, type) ? blocks[type] : undefined;
        if (block === undefined || handle === undefined) out.emit({ type: "unknown", raw: value });
        else handle(block, context, out);
      }
      if (asFlag(metadata?.["outputTokenLimitReached"]) === true) {
        speech.flush(out);
        out.emit({
          type: "warning",
          message: "the model reached its output token limit",
          code: "output_limit",
        });
      }
      if (content.length === 0) out.consume("message: no content");
    },
    flush: speech.flush,
  };
}

/** What each type of block gives. */
function createBlocks(speech: Speech, calls: Calls): Readonly<Record<string, HandleBlock>> {
  const isOwnVoice = createVoices();
  /** The prompt was a command of Goose (`/skills`): only then is it echoed, and Goose itself answers it. */
  let isCommand = false;

  function thought(block: JsonObject, { messageId, hasInference }: Context, out: Sink): void {
    const text = asText(block["thinking"]) ?? asText(block["text"]) ?? "";
    speech.think({ text, messageId, isPiece: hasInference }, out);
  }

  return {
    text(block, context, out) {
      const text = typeof block["text"] === "string" ? block["text"] : undefined;
      if (text === undefined) return out.emit({ type: "unknown", raw: block });
      if (context.isUser) {
        isCommand = text.startsWith("/");
        return out.consume("text of the user");
      }
      const { messageId, hasInference } = context;
      const isAnswer = (isCommand || calls.hasFinalOutput()) && !isGivingUp(text);
      if (isAnswer || !isOwnVoice({ text, messageId, hasInference })) {
        return speech.say({ text, messageId, isPiece: hasInference }, out);
      }
      speech.flush(out);
      fail(text.trimEnd(), {}, out);
    },
    thinking: thought,
    /** Thinking in older versions. */
    reasoning: thought,
    redactedThinking: (_block, _context, out) => out.consume("redactedThinking"),
    toolRequest(block, _context, out) {
      speech.flush(out);
      calls.request(block, out);
    },
    toolResponse(block, _context, out) {
      speech.flush(out);
      calls.respond(block, out);
    },
    systemNotification(block, _context, out) {
      speech.flush(out);
      notify(block, out);
    },
    error(block, _context, out) {
      speech.flush(out);
      fail(asText(block["message"]) ?? "Goose reported an error", { code: asText(block["kind"]) }, out);
    },
  };
}

/** Notices from Goose to the user, outside the conversation. */
function notify(block: JsonObject, out: Sink): void {
  const message = asText(block["msg"]);
  const kind = asText(block["notificationType"]);
  if (kind === "progressMessage" || kind === "thinkingMessage")
    return out.consume(`systemNotification/${kind}`);
  if (kind === "inlineMessage" && message !== undefined) {
    if (isLastNotice(message)) return fail(message, {}, out);
    return out.emit({ type: "warning", message });
  }
  if (kind !== "creditsExhausted") return out.emit({ type: "unknown", raw: block });
  fail(message ?? "the credits are exhausted", { code: kind, kind: "quota" }, out);
}
