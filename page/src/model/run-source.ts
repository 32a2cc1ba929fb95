import { type ReadonlySignal, signal } from "@preact/signals";
import type { HarnessEvent } from "../../../src/events/event.js";
import type {
  RawFound,
  RawLine,
  RawLines,
  Refusal,
  RunAbout,
  SessionHere,
  StepsMessage,
} from "../../../src/server/protocol.js";
import { getJson, getText, runPath } from "../server/api.js";
import { openStream } from "../server/stream.js";
import { createRunModel, type RunModel } from "./run-model.js";

export type LoadState = "loading" | "live" | "whole" | "refused";

/** A run that the page can show, wherever it comes from. */
export interface RunSource {
  id: string;
  about: ReadonlySignal<RunAbout | undefined>;
  model: RunModel;
  state: ReadonlySignal<LoadState>;
  problem: ReadonlySignal<string>;
  /** The live session, as long as prompts and answers can be given here. */
  session: ReadonlySignal<SessionHere | undefined>;
  readRaw(from: number, count: number): Promise<RawLines>;
  readRawWhole(line: number): Promise<string>;
  readEvent(seq: number): Promise<HarnessEvent>;
  /** The first raw line from this one on that has the text. */
  searchRaw(text: string, from: number): Promise<number | undefined>;
  /** What the run changed, as a patch. Fails if there is none. */
  readPatch(): Promise<string>;
  /** True: a log that was opened on the page. It can neither be run again nor be resumed. */
  isImported: boolean;
  close(): void;
}

interface RunMessages {
  about: RunAbout;
  steps: StepsMessage;
  session: SessionHere | null;
  end: object;
  refusal: Refusal;
}

/** A recording on the server. It is live as long as its run is. */
export function openRecorded(id: string): RunSource {
  const about = signal<RunAbout | undefined>(undefined);
  const state = signal<LoadState>("loading");
  const problem = signal("");
  const model = createRunModel(new Date().toISOString());
  const session = signal<SessionHere | undefined>(undefined);
  const stream = openStream<RunMessages>(`${runPath(id)}/stream`, {
    about(message) {
      about.value = message;
      if (state.value !== "whole" && message.row.outcome === "running") state.value = "live";
    },
    steps: (message) => model.add(message),
    session(message) {
      session.value = message ?? undefined;
    },
    end() {
      state.value = "whole";
      session.value = undefined;
      stream.close();
    },
    refusal(refusal) {
      state.value = "refused";
      problem.value = refusal.message;
      stream.close();
    },
  });
  return {
    id,
    about,
    model,
    state,
    problem,
    session,
    readRaw: (from, count) => getJson(`${runPath(id)}/raw?from=${from}&count=${count}`),
    readRawWhole: (line) => getText(`${runPath(id)}/raw/${line}`),
    readEvent: (seq) => getJson(`${runPath(id)}/events/${seq}`),
    searchRaw: async (text, from) => {
      const found: RawFound = await getJson(
        `${runPath(id)}/raw-search?text=${encodeURIComponent(text)}&from=${from}`,
      );
      return found.line;
    },
    readPatch: () => getText(`${runPath(id)}/changes`),
    isImported: false,
    close: stream.close,
  };
}

/** A log that was opened on the page. It never leaves the browser. */
export function createImported(
  id: string,
  about: RunAbout,
  model: RunModel,
  lines: readonly RawLine[],
): RunSource {
  const lineAt = (line: number): string => lines[line - 1]?.text ?? "";
  return {
    id,
    about: signal(about),
    model,
    state: signal<LoadState>("whole"),
    problem: signal(""),
    session: signal(undefined),
    readRaw: async (from, count) => ({
      total: lines.length,
      lines: lines.slice(from - 1, from - 1 + count).map(shorten),
    }),
    readRawWhole: async (line) => lineAt(line),
    readEvent: async (seq) => {
      const event = model.events[seq];
      if (event === undefined) throw new Error("the run has no such event");
      return event;
    },
    searchRaw: async (text, from) => {
      const wanted = text.toLowerCase();
      return lines.find((each) => each.line >= from && each.text.toLowerCase().includes(wanted))?.line;
    },
    readPatch: () => Promise.reject(new Error("a log has no patch")),
    isImported: true,
    close: () => undefined,
  };
}

const longestShown = 4000;

function shorten(line: RawLine): RawLine {
  if (line.text.length <= longestShown) return line;
  return { ...line, text: line.text.slice(0, longestShown), isCut: true };
}
