/**
 * Recorded runs: find, list, read, replay, export, remove.
 *
 * @example
 * import { sessions } from "harness-stream";
 * const [latest] = await sessions.list({ agent: "claude", outcome: "failed", limit: 1 });
 * for await (const event of await sessions.replay("last")) console.log(event.type);
 */
import type { HarnessEvent } from "../../events/event.js";
import { type ExportOptions, exportRecording } from "./export.js";
import { findRecording, type Place } from "./find.js";
import { type ListOptions, listRecordings } from "./list.js";
import {
  checkExportOptions,
  checkId,
  checkIds,
  checkListOptions,
  checkPlace,
  checkPruneOptions,
  checkReadOptions,
  checkReplayOptions,
} from "./options.js";
import type { Recording } from "./recording.js";
import { type Pruned, type PruneOptions, pruneRecordings, removeRecordings } from "./remove.js";
import { createReplay, type Replay, type ReplayOptions } from "./replay.js";

export type { RecordedOutcome } from "../recording/recorded-outcome.js";
export type { ExportOptions } from "./export.js";
export type { Place } from "./find.js";
export type { ListOptions } from "./list.js";
export { type Recording, recordingOutcomes } from "./recording.js";
export type { Pruned, PruneOptions } from "./remove.js";
export type { Replay, ReplayOptions } from "./replay.js";

/**
 * Every function that takes an id also takes any unique prefix of it, and `last`. Invalid options reject with
 * `invalid_option`.
 */
export const recordings = {
  /** Newest first. */
  async list(options: ListOptions = {}): Promise<Recording[]> {
    return listRecordings(checkListOptions(options));
  },
  async find(id: string, options: Place = {}): Promise<Recording> {
    return findRecording(checkId(id), checkPlace(options));
  },
  /** Reads a recording and all its events. */
  async read(
    id: string,
    options: Place & Pick<ReplayOptions, "agent" | "asRecorded"> = {},
  ): Promise<Recording & { events: HarnessEvent[] }> {
    const { directory, ...rest } = checkReadOptions(options);
    const recording = await findRecording(checkId(id), { directory });
    const events: HarnessEvent[] = [];
    for await (const event of createReplay(recording, rest)) events.push(event);
    return { ...recording, events };
  },
  /** The events of a recording: at once, or with the run's own timing (`speed`). */
  async replay(id: string, options: Place & ReplayOptions = {}): Promise<Replay> {
    const { directory, ...rest } = checkReplayOptions(options);
    return createReplay(await findRecording(checkId(id), { directory }), rest);
  },
  /** Exports a recording as any output: a transcript (`markdown`), a page that opens offline (`html`), a trajectory (`atif`). */
  async export(id: string, options: Place & ExportOptions): Promise<string> {
    const { directory, ...rest } = checkExportOptions(options);
    return exportRecording(await findRecording(checkId(id), { directory }), rest);
  },
  /** Removes recordings: all of them or none. Returns their ids. */
  async remove(ids: string | readonly string[], options: Place = {}): Promise<string[]> {
    return removeRecordings(checkIds(ids), checkPlace(options));
  },
  /** Removes recordings that began before a moment. */
  async prune(options: PruneOptions): Promise<Pruned> {
    return pruneRecordings(checkPruneOptions(options));
  },
} as const;
