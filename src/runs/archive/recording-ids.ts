import { opendirSync } from "node:fs";
import { HarnessError, messageOf, systemCode } from "../../errors.js";
import { isTimedId, startOfId } from "../run-id.js";
import { isIndexDraft } from "./index-file.js";

const sidecar = ".meta.json";

/** The ids of all recordings, in no order. None when the directory does not exist. */
export function sessionIds(directory: string): string[] {
  return namesIn(directory).ids;
}

/** What lies in the directory of recordings: ids, and drafts of its index. */
export interface FoundNames {
  ids: string[];
  drafts: string[];
}

/** Not "." and "..", whose folders are not those of a recording. */
function isPlainId(id: string): boolean {
  return id !== "" && id !== "." && id !== "..";
}

/** As many names as are asked for at once. The system call takes no more; a larger number makes Node much slower. */
const namesAtOnce = 1024;

/** Not `readdir`, which sorts: three hundred thousand names take half the time. */
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
 * Ids in the order of their times. Those that tell their time are sorted as they are. One that somebody chose is sorted as an
 * id of its time would be, and left out if `timeOf` knows no time. Day by day, and a day is sorted when it is reached: who
 * wants the newest few of a hundred thousand waits for no more.
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
