import { HarnessError } from "../../errors.js";
import { findRecording, newest, type Place } from "../../runs/archive/find.js";
import { listRecordings } from "../../runs/archive/list.js";
import type { Recording } from "../../runs/archive/recording.js";

/** A recording of a session that runs, and where it takes prompts and answers. */
export interface LiveSessionFound {
  recording: Recording;
  address: string;
}

/** Finds a running session by its id, by any unique prefix of it, or the newest one (`last`). */
export async function findLiveSession(id: string, options: Place = {}): Promise<LiveSessionFound> {
  if (id !== newest) return requireLive(await findRecording(id, options));
  const { directory } = options;
  const running = await listRecordings({ ...(directory && { directory }), outcome: "running" });
  const found = running.find(({ meta }) => meta.control !== undefined);
  if (found !== undefined) return requireLive(found);
  const message = "no live session runs now; `harness chat` starts one";
  throw new HarnessError("unknown_session", message);
}

function requireLive(recording: Recording): LiveSessionFound {
  const { id, outcome, meta } = recording;
  if (outcome !== "running") {
    const message = `the session ${id} has ended (${outcome}); \`harness chat --resume ${id}\` goes on with it`;
    throw new HarnessError("session_gone", message);
  }
  if (typeof meta.control === "string") return { recording, address: meta.control };
  const message = `the run ${id} takes no prompts of others: it is not a live session; \`harness view ${id}\` shows it`;
  throw new HarnessError("session_gone", message);
}
