import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { RunCheck } from "../../events/run-check.js";
import { cutEndOf } from "../../text/cut.js";
import { toJson } from "../../text/to-json.js";
import type { FollowedRun } from "../follower.js";
import { createBoundedReport } from "./bounded-report.js";

/** Which messages a webhook gets: the beginning and the end of a run, or all its events as well. */
export type WebhookEvents = "ends" | "all";

/** One message. Its number in the run is part of its id and of its body. */
export interface WebhookMessage {
  type: "run.started" | "run.events" | "run.ended" | "run.checked";
  id: string;
  body: string;
}

/** Longer bodies are refused by many receivers. */
const maxBody = 1024 * 1024;
/** A message with events is sent when it has this many characters, at the latest. */
const maxEvents = 256 * 1024;
/** Longer prompts are cut to this. */
const maxText = 64 * 1024;

/** Turns the events of one run into messages. */
export interface WebhookMessages {
  begin(run: FollowedRun): void;
  add(event: HarnessEvent): WebhookMessage[];
  /** The events that wait for others. */
  flush(): WebhookMessage[];
  /** What a check found out after the end of the run. */
  check(check: RunCheck): WebhookMessage[];
  /** No more events. Says that the run is over, if its end is missing. */
  end(): WebhookMessage[];
}

export function createWebhookMessages(wanted: WebhookEvents): WebhookMessages {
  const report = createBoundedReport();
  const pending = createPendingEvents();
  let about: FollowedRun = {};
  let runId: string | undefined;
  let sequence = 0;
  let hasEnded = false;

  function message(type: WebhookMessage["type"], timestamp: string, data: string): WebhookMessage {
    sequence += 1;
    const facts = `"runId":${toJson(runId)},"sequence":${sequence}`;
    return {
      type,
      id: `${runId}-${sequence}`,
      body: `{"type":"${type}","timestamp":${toJson(timestamp)},"data":{${facts}${data === "" ? "" : `,${data}`}}}`,
    };
  }

  function flush(): WebhookMessage[] {
    const found = pending.take();
    return found === undefined ? [] : [message("run.events", found.timestamp, found.data)];
  }

  return {
    begin(run) {
      about = run;
    },
    add(event) {
      if (hasEnded) return [];
      runId ??= event.runId;
      const messages: WebhookMessage[] = [];
      if (event.type === "started")
        messages.push(message("run.started", event.timestamp, startOf(event, about)));
      if (wanted === "all" && pending.add(event)) messages.push(...flush());
      const text = report.add(event);
      if (text === undefined) return messages;
      hasEnded = true;
      messages.push(...flush(), message("run.ended", event.timestamp, `"report":${text}`));
      return messages;
    },
    flush,
    check: (check) => [message("run.checked", new Date().toISOString(), `"check":${toJson(check)}`)],
    end() {
      if (hasEnded || runId === undefined) return [];
      hasEnded = true;
      return [...flush(), message("run.ended", new Date().toISOString(), "")];
    },
  };
}

function startOf(event: EventOf<"started">, { prompt }: FollowedRun): string {
  const { agent, agentVersion, cwd } = event;
  const asked = prompt === undefined ? undefined : cutEndOf(prompt, maxText);
  return toJson({ agent, agentVersion, cwd, prompt: asked }).slice(1, -1);
}

/** Events that wait until a message is full. One that is too long for any message is only named. */
function createPendingEvents(): {
  /** True if the message is full. */
  add(event: HarnessEvent): boolean;
  take(): { timestamp: string; data: string } | undefined;
} {
  let events: string[] = [];
  let omitted: string[] = [];
  let size = 0;
  let timestamp = "";
  return {
    add(event) {
      const text = toJson(event);
      const isTooLong = text.length > maxBody / 2;
      const { seq, type } = event;
      const kept = isTooLong ? toJson({ seq, type, characters: text.length }) : text;
      (isTooLong ? omitted : events).push(kept);
      size += kept.length + 1;
      timestamp = event.timestamp;
      return size >= maxEvents;
    },
    take() {
      if (size === 0) return undefined;
      const data = `"events":[${events.join(",")}]${omitted.length === 0 ? "" : `,"omitted":[${omitted.join(",")}]`}`;
      events = [];
      omitted = [];
      size = 0;
      return { timestamp, data };
    },
  };
}
