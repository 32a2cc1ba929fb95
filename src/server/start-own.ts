import { resolve } from "node:path";
import { resolveAgent } from "../config/configured-agents.js";
import { loadConfig } from "../config/load-config.js";
import { HarnessError } from "../errors.js";
import { isRunId } from "../events/run-id.js";
import type { SessionTask } from "../live/session-task.js";
import type { Recording } from "../runs/archive/recording.js";
import type { Task } from "../runs/task.js";
import type { ApiOptions } from "./api.js";
import { toSessionTask, toTask, type Where } from "./new-task.js";
import { openPlainRecording } from "./open-plain-recording.js";
import type { NewRun, NewSession, StartedRun } from "./protocol.js";

type Place = Pick<ApiOptions, "index" | "ownRuns" | "known" | "cwd" | "trust">;

/** Starts a run, with the configuration of its directory. `options` are those that only programs give. */
export async function startOwnRun(
  asked: NewRun,
  place: Place,
  options: Partial<Task> = {},
): Promise<StartedRun> {
  const { wanted, where } = await placeOf(asked, place);
  const { task, warnings } = toTask(wanted, where);
  return { id: place.ownRuns.start({ ...task, ...options }), warnings };
}

/** Opens a live session in the same way, and sends its first prompt. */
export async function openOwnSession(
  asked: NewSession,
  place: Place,
  options: Partial<SessionTask> = {},
): Promise<StartedRun> {
  const { wanted, where } = await placeOf(asked, place);
  const { task, warnings } = toSessionTask(wanted, where);
  return { id: place.ownRuns.open({ ...task, ...options }, wanted.prompt), warnings };
}

/** Where a run is to be started, with the configuration that counts there. */
async function placeOf<T extends NewSession>(
  wanted: T,
  { index, known, cwd, trust }: Place,
): Promise<{ wanted: T; where: Where }> {
  const resumed = wanted.resume === undefined ? undefined : resumedOf(wanted.resume, index.directory);
  const directory = resolve(cwd, wanted.cwd ?? resumed?.meta.cwd ?? "");
  const config = loadConfig({ cwd: directory, trust });
  const agent = await resolveAgent(wanted.agent, config);
  known.remember(agent);
  return { wanted: { ...wanted, cwd: directory }, where: { agent, config, resumed } };
}

function resumedOf(id: string, directory: string): Recording {
  if (!isRunId(id)) throw new HarnessError("unknown_session", "`resume` is not a valid run id");
  return openPlainRecording(directory, id);
}
