import { readdirSync } from "node:fs";
import { HarnessError, messageOf, systemCode } from "../errors.js";

const sidecar = ".meta.json";

/** The ids of all recordings, in no order. None when the directory does not exist. */
export function sessionIds(directory: string): string[] {
  return namesIn(directory).flatMap((name) =>
    name.endsWith(sidecar) && name.length > sidecar.length ? [name.slice(0, -sidecar.length)] : [],
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    const message = `cannot read the recordings in ${directory}: ${messageOf(error)}`;
    throw new HarnessError("unreadable_sessions", message, { cause: error });
  }
}

/** `20261115-191302-k3f9x2`: date, time (UTC), milliseconds in base 36 and a random part. */
const timedId = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-z]{2})[0-9a-z]{4}$/;

/** When the run of an id was started. Undefined for ids that people chose. */
export function timeOfId(id: string): number | undefined {
  const match = timedId.exec(id);
  if (match === null) return undefined;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map(Number);
  if (year === undefined || month === undefined) return undefined;
  return Date.UTC(year, month - 1, day, hours, minutes, seconds, Number.parseInt(match[7] ?? "0", 36));
}
