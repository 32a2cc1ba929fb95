import { opendirSync } from "node:fs";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import { isTimedId, startOfId } from "../../events/run-id.js";
import { isIndexDraft } from "./index-file.js";

const sidecar = ".meta.json";

/** The ids of all recordings, in no order. None when the directory does not exist. */
export function recordingIds(directory: string): string[] {
  return namesIn(directory).ids;
}

/** What is in the directory of recordings: ids, and drafts of the index. */
export interface FoundNames {
  ids: string[];
  drafts: string[];
}

/** False for "." and "..", whose folders do not belong to a recording. */
function isPlainId(id: string): boolean {
  return id !== "" && id !== "." && id !== "..";
}

/** Names read at once. The system call returns no more, and a larger number makes Node much slower. */
const namesAtOnce = 1024;

/** Does not use `readdir`, which sorts: reading 300,000 names without it takes half the time. */
export function namesIn(directory: string): FoundNames {
  const found: FoundNames = { ids: [], drafts: [] };
  try {
    const open = opendirSync(directory, { bufferSize: namesAtOnce });
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        const { name } = entry;
        const id = name.endsWith(sidecar) ? name.slice(0, -sidecar.length) : "";
        if (isPlainId(id)) found.ids.push(id);
        else if (isIndexDraft(name)) found.drafts.push(name);
      }
    } finally {
      open.closeSync();
    }
    return found;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return found;
    const message = `cannot read the recordings in ${directory}: ${messageOf(error)}`;
    throw new HarnessError("unreadable_sessions", message, { cause: error });
  }
}

/**
 * Ids in the order of their times, newest first. Ids that contain their time are sorted as text. An id that somebody chose is
 * sorted by the time that `timeOf` returns, and left out if there is none. Each day is sorted when it is reached, so that the
 * newest few of 100,000 ids are found without sorting all of them.
 */
export function* newestFirst(
  ids: readonly string[],
  timeOf: (id: string) => number | undefined,
): Generator<string> {
  const days = new Map<string, string[]>();
  for (const id of ids) {
    const key = sortedAs(id, timeOf);
    if (key === undefined) continue;
    const day = key.slice(0, dayLength);
    const keys = days.get(day);
    if (keys === undefined) days.set(day, [key]);
    else keys.push(key);
  }
  for (const day of [...days.keys()].sort().reverse())
    for (const key of days.get(day)?.sort().reverse() ?? []) yield key.slice(key.indexOf(" ") + 1);
}

const dayLength = "20261115".length;

function sortedAs(id: string, timeOf: (id: string) => number | undefined): string | undefined {
  if (isTimedId(id)) return id;
  const time = timeOf(id);
  return time === undefined ? undefined : `${startOfId(new Date(time))} ${id}`;
}
