import { acp } from "../../../src/agents/acp/definition.js";
import { copilot } from "../../../src/agents/copilot/definition.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { gemini } from "../../../src/agents/gemini/definition.js";
import { goose } from "../../../src/agents/goose/definition.js";
import { qwen } from "../../../src/agents/qwen/definition.js";
import type { EventOf, EventType, HarnessEvent } from "../../../src/events/event.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, type Transcript, transcriptNames } from "../../support/transcripts.js";

/** Which agent reads the transcripts of a folder. */
export const readers: Readonly<Record<string, AgentDefinition>> = {
  "acp-goose": goose,
  "acp-gemini": gemini,
  "acp-qwen": qwen,
  "acp-copilot": copilot,
  "acp-claude-agent-acp": acp,
  "acp-codex-acp": acp,
  "acp-opencode": acp,
  "acp-kilo": acp,
  "acp-cline": acp,
  "acp-pi-acp": acp,
};

/** Every transcript as `folder/scenario`. */
export const transcripts: readonly string[] = Object.keys(readers).flatMap((folder) =>
  transcriptNames(folder).map((scenario) => `${folder}/${scenario}`),
);

const read = new Map<string, { transcript: Transcript; events: HarnessEvent[] }>();

/** A transcript and its events. Each one is translated once. */
export function sessionOf(name: string): { transcript: Transcript; events: HarnessEvent[] } {
  const known = read.get(name);
  if (known !== undefined) return known;
  const [folder = "", scenario = ""] = name.split("/");
  const reader = readers[folder];
  if (reader === undefined) throw new Error(`no agent reads ${folder}`);
  const transcript = readTranscript(folder, scenario);
  const events = translateTranscript(reader, transcript).flatMap((step) => step.events);
  read.set(name, { transcript, events });
  return { transcript, events };
}

export function eventsOf<T extends EventType>(name: string, type: T): EventOf<T>[] {
  return sessionOf(name).events.filter((event): event is EventOf<T> => event.type === type);
}
