import { statSync } from "node:fs";
import type { AgentDefinition } from "../../agents/definition.js";
import { jsonFormat } from "../../outputs/json/output.js";
import type { RunReport } from "../../outputs/json/schema.js";
import type { Recording } from "../../runs/archive/recording.js";
import { createReplay } from "../../runs/archive/replay.js";

/** How a recording is read. */
interface ReadWith {
  agent: AgentDefinition;
  /** Nobody here knows the agent: its recorded events are read as they are. */
  isUnknown: boolean;
}

/**
 * The reports of runs that have ended. A report is made by reading the whole recording, which takes seconds for a long run. It is kept as
 * long as the files of the recording stay the same, and whoever asks for it at the same time waits for the same reading.
 */
export interface Reports {
  /** Undefined if the events have no end. Rejects if the recording cannot be read. */
  of(recording: Recording, by: ReadWith): Promise<RunReport | undefined>;
}

interface Entry {
  /** What the files were like before they were read. */
  stamp: string;
  report: Promise<RunReport | undefined>;
  /** About as many characters as the report has. */
  size: number;
}

/** How much is kept, in characters. The latest report is kept whatever its size. */
const maxKept = 32 * 1024 * 1024;
/** What an item of a list takes besides its text. */
const itemSize = 60;

export function createReports(read = readReport, max = maxKept): Reports {
  /** The one that was asked for last is last. */
  const entries = new Map<string, Entry>();

  function forgetOldest(): void {
    let size = 0;
    for (const entry of entries.values()) size += entry.size;
    for (const [id, entry] of entries) {
      if (size <= max || entries.size === 1) return;
      entries.delete(id);
      size -= entry.size;
    }
  }

  function add(recording: Recording, by: ReadWith, stamp: string): Entry {
    const { id } = recording;
    const entry: Entry = { stamp, report: read(recording, by), size: 0 };
    entries.set(id, entry);
    entry.report.then(
      (report) => {
        entry.size = sizeOf(report);
        forgetOldest();
      },
      () => {
        if (entries.get(id) === entry) entries.delete(id);
      },
    );
    return entry;
  }

  return {
    of(recording, by) {
      const { id } = recording;
      const stamp = stampOf(recording, by);
      const known = entries.get(id);
      entries.delete(id);
      if (known?.stamp !== stamp) return add(recording, by, stamp).report;
      entries.set(id, known);
      return known.report;
    },
  };
}

/** Reads in pieces, and other requests are answered in between. */
async function readReport(
  recording: Recording,
  { agent, isUnknown }: ReadWith,
): Promise<RunReport | undefined> {
  const view = jsonFormat.create();
  let report: RunReport | undefined;
  for await (const steps of createReplay(recording, { agent, asRecorded: isUnknown }).batches())
    for (const { events } of steps) report = view.push(events)[0] ?? report;
  return report;
}

/** Changes when the files of a recording do, or how they are read. */
function stampOf({ paths }: Recording, { agent, isUnknown }: ReadWith): string {
  const files = [paths.meta, paths.raw, paths.events].map((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "none" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  });
  return [...files, agent.id, isUnknown].join("\n");
}

function sizeOf(report: RunReport | undefined): number {
  if (report === undefined) return 0;
  const { text = "", commands, errors, files, turns = [], requests = [] } = report;
  const texts = [
    ...[text, ...turns.map((turn) => `${turn.prompt}${turn.text}`)],
    ...[...files.read, ...files.written].map(({ path }) => path),
    ...commands.map(({ command }) => command),
    ...[...errors, ...requests].map(({ message = "" }) => message),
  ];
  return texts.reduce((size, each) => size + each.length + itemSize, 0);
}
