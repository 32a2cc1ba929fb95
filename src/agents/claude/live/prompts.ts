import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { toJson } from "../../../text/to-json.js";
import { type ControlRequest, readAnswer, returnedCalls } from "./control.js";

/** A user message that was sent. */
export interface Prompt {
  text: string | undefined;
  uuid: string | undefined;
}

/**
 * What became of prompts that were sent while a turn was running. Claude Code adds them to what it asks the model after
 * the next tool, and only 2.1.325 says so (`command_lifecycle`). If no tool runs any more, all of them together are the next
 * turn. So results are never counted against prompts.
 */
export interface Prompts {
  /** A prompt was sent while a turn was running. */
  queued(prompt: Prompt): void;
  /** A turn begins with a prompt that was sent while none was running. */
  opened(prompt: Prompt): void;
  /** A turn begins without one. Returns the prompts that waited for it. */
  began(): Prompt[];
  /** A request of the client: it may take a prompt back. */
  requested(request: ControlRequest): void;
  received(record: JsonObject): void;
  /** False if the result belongs to an earlier prompt or to the agent's own turn, and the open turn's prompt still waits. */
  isAnsweredBy(result: JsonObject): boolean;
  readonly waiting: readonly Prompt[];
}

interface Waiting extends Prompt {
  /** A tool has returned since it was sent. */
  isNext: boolean;
}

export function createPrompts(): Prompts {
  let waiting: Waiting[] = [];
  let opener: Waiting | undefined;
  let messageId: string | undefined;
  /** Prompts that the client takes back, by its request. */
  const cancelling = new Map<string, string>();

  function remove(uuid: JsonValue | undefined): void {
    if (uuid !== undefined) waiting = waiting.filter((prompt) => prompt.uuid !== uuid);
  }

  function setNext(isNext: boolean): void {
    for (const prompt of waiting) prompt.isNext = isNext;
    if (opener !== undefined) opener.isNext = isNext;
  }

  /** A new message begins, so the model was asked again: what waited for that has joined the turn. */
  function answers(message: JsonObject | undefined): void {
    const id = asText(message?.["id"]);
    if (id === undefined || id === messageId) return;
    messageId = id;
    waiting = waiting.filter(({ isNext }) => !isNext);
  }

  function turnEnded(result: JsonObject): void {
    for (const uuid of asArray(result["user_message_uuids"]) ?? []) remove(uuid);
    setNext(false);
  }

  const records: Readonly<Record<string, (record: JsonObject) => void>> = {
    user(record) {
      if (isOfMain(record) && returnedCalls(record).length > 0) setNext(true);
    },
    assistant(record) {
      if (isOfMain(record)) answers(asObject(record["message"]));
    },
    stream_event(record) {
      if (isOfMain(record)) answers(asObject(asObject(record["event"])?.["message"]));
    },
    command_lifecycle(record) {
      if (record["state"] === "completed" || record["state"] === "cancelled") remove(record["command_uuid"]);
    },
    control_response(record) {
      const answer = readAnswer(record);
      if (answer?.response?.["cancelled"] === true) remove(cancelling.get(answer.requestId));
    },
    result: turnEnded,
  };

  return {
    queued(prompt) {
      waiting.push({ ...prompt, isNext: false });
    },
    opened(prompt) {
      opener = { ...prompt, isNext: false };
    },
    began() {
      const taken = waiting;
      waiting = [];
      opener = undefined;
      return taken;
    },
    requested({ requestId, subtype, request }) {
      const uuid = asText(request["message_uuid"]);
      if (subtype === "cancel_async_message" && uuid !== undefined) cancelling.set(requestId, uuid);
    },
    received(record) {
      const type = asText(record["type"]) ?? "";
      if (Object.hasOwn(records, type)) records[type]?.(record);
    },
    isAnsweredBy: (result) => opener === undefined || isAnswerTo(opener, result),
    get waiting() {
      return waiting;
    },
  };
}

function isAnswerTo({ uuid, isNext }: Waiting, result: JsonObject): boolean {
  const answered = asArray(result["user_message_uuids"]) ?? [];
  if (uuid !== undefined && answered.length > 0) return answered.includes(uuid);
  return asObject(result["origin"])?.["kind"] === undefined || isNext;
}

/** The prompt in a user message that was sent. */
export function readPrompt(record: JsonObject): Prompt {
  const content = asObject(record["message"])?.["content"];
  const blocks = typeof content === "string" ? [content] : (asArray(content) ?? []);
  const texts = blocks.flatMap((block) =>
    typeof block === "string" ? block : (asText(asObject(block)?.["text"]) ?? []),
  );
  return { text: asText(texts.join("\n")), uuid: asText(record["uuid"]) };
}

export function promptLine({ text = "", uuid }: Prompt): string {
  const message = { role: "user", content: [{ type: "text", text }] };
  return toJson({ type: "user", message, parent_tool_use_id: null, session_id: "", uuid });
}

function isOfMain(record: JsonObject): boolean {
  return asText(record["parent_tool_use_id"]) === undefined;
}
