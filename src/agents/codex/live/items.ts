import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { Notices } from "./notices.js";
import type { Notice, Session } from "./session.js";
import { toExecItem } from "./spelling.js";
import { textOfUserInput } from "./user-input.js";

const notRunning = "of a turn that has ended";

/** Items and the pieces of them. Items are read in the spelling of `exec --json`. */
export function createLiveItems({ items, requests, speech, threads, turns }: Session): Notices {
  /** The calls that have started. One that is no longer open was closed with its turn, and does not end again. */
  const begun = new Set<string>();

  /** False for a late record of the session's thread. Subagents may work between turns. */
  function isLive({ params, speaker }: Notice, out: Sink, prompt?: string): boolean {
    return speaker.parentCallId !== undefined || turns.enter(asText(params["turnId"]), out, prompt);
  }

  function start(notice: Notice, out: Sink): void {
    const item = toExecItem(asObject(notice.params["item"]) ?? {});
    const type = asText(item["type"]) ?? "";
    const prompt = type === "user_message" ? textOfUserInput(item["content"]) : undefined;
    if (!isLive(notice, out, prompt)) return out.consume(`item/started: ${notRunning}`);
    if (messages.has(type)) speech.begun(notice.speaker, out);
    threads.itemStarted(item);
    requests.itemStarted(item);
    const callId = asText(item["id"]) ?? "";
    if (!messages.has(type) && out.call(callId) === undefined) items.started(toItemRecord(item, notice), out);
    if (out.call(callId) !== undefined) begun.add(callId);
    out.consume(`item/started: ${type}`);
  }

  function complete(notice: Notice, out: Sink): void {
    const item = toExecItem(asObject(notice.params["item"]) ?? {});
    const callId = asText(item["id"]) ?? "";
    threads.itemCompleted(item);
    requests.itemCompleted(item);
    if (begun.has(callId) && out.call(callId) === undefined)
      return out.consume("item/completed: its call was closed with its turn");
    if (!isLive(notice, out)) return out.consume(`item/completed: ${notRunning}`);
    const type = asText(item["type"]) ?? "";
    if (type === "user_message") return completeUserMessage(item, notice, out);
    if (type === "reasoning" && speech.hasThought(callId))
      return out.consume("item/completed: reasoning that was streamed in pieces");
    if (messages.has(type)) speech.completed(notice.speaker);
    items.completed(toItemRecord(item, notice), out);
  }

  /** The first message of a turn is its prompt. Later ones are steering that the model is about to see. */
  function completeUserMessage(item: JsonObject, { speaker }: Notice, out: Sink): void {
    const { current } = turns;
    const message = textOfUserInput(item["content"]);
    if (speaker.parentCallId !== undefined) return out.consume("user message: the task of a subagent");
    if (current === undefined || !current.hasPrompt || message === "") {
      if (current !== undefined) current.hasPrompt = true;
      return out.consume("user message: the prompt");
    }
    out.emit({ type: "agent", role: "user", message, messageId: asText(item["id"]) });
  }

  function say(notice: Notice, out: Sink): void {
    if (!isLive(notice, out)) return out.consume(`delta: ${notRunning}`);
    speech.text(notice.params, notice.speaker, out);
  }

  function think(notice: Notice, out: Sink): void {
    if (!isLive(notice, out)) return out.consume(`delta: ${notRunning}`);
    speech.thinking(notice.params, notice.speaker, out);
  }

  return {
    "item/started": start,
    "item/completed": complete,
    "item/agentMessage/delta": say,
    "item/plan/delta": say,
    "item/reasoning/summaryTextDelta": think,
    "item/reasoning/textDelta": think,
    "item/reasoning/summaryPartAdded"(notice, out) {
      const isFirst = (asNumber(notice.params["summaryIndex"]) ?? 0) === 0;
      if (isFirst) return out.consume("item/reasoning/summaryPartAdded: the first part");
      think({ ...notice, params: { ...notice.params, delta: "\n\n" } }, out);
    },
  };
}

/** Items whose text comes in pieces. The plan of plan mode is the answer to its prompt. */
const messages: ReadonlySet<string> = new Set(["agent_message", "plan"]);

function toItemRecord(item: JsonObject, { record, speaker }: Notice) {
  const { parentCallId } = speaker;
  return { item: item["type"] === "plan" ? { ...item, type: "agent_message" } : item, record, parentCallId };
}
