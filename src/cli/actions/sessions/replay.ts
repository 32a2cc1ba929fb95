import { sessions } from "../../../sessions/index.js";
import { createOutput } from "../../output.js";
import type { StreamFormat } from "../../step-writer.js";
import { printSession } from "./print-session.js";

/** Prints a recorded run again, at the times of the first time. */
export async function replayAction(
  id: string,
  flags: { format: StreamFormat; speed: number },
): Promise<number> {
  const session = await sessions.find(id);
  const output = createOutput(process.stdout);
  const stopped = new AbortController();
  output.onClose(() => stopped.abort());
  await printSession(session, flags.format, output, { speed: flags.speed, signal: stopped.signal });
  return 0;
}
