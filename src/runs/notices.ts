import type { NoticeRecord } from "../events/raw-record.js";
import type { FoundProcess } from "../process/processes.js";
import type { ProcessEnd } from "../process/start.js";
import type { Stopped } from "./end-record.js";

/** What harness itself says during a run. Codes are stable. */
export type Notice = Pick<NoticeRecord, "code" | "message">;

export function recordingNotice(problem: string): Notice {
  return { code: "recording_failed", message: problem };
}

export function unknownChangesNotice(problem: string): Notice {
  const message = `what this run changed is not known: ${problem}`;
  return { code: "changes_unknown", message };
}

export function silenceNotice(agentName: string, silentMs: number, openWork: readonly string[]): Notice {
  const why =
    openWork.length === 0
      ? "it may be waiting for its model, or it may hang"
      : `it is waiting for what it started: ${openWork.join(", ")}`;
  return { code: "silent", message: `${agentName} has printed nothing for ${toDuration(silentMs)}; ${why}` };
}

export function unexitedNotice(agentName: string, graceMs: number): Notice {
  const message = `${agentName} did not exit within ${toDuration(graceMs)} of its final message and was stopped; the outcome does not change`;
  return { code: "not_exiting", message };
}

function leftBehindNotice(agentName: string, names: readonly string[]): Notice {
  const what = names.length === 1 ? "a process" : `${names.length} processes`;
  const message = `${agentName} left ${what} running; harness stopped: ${[...new Set(names)].join(", ")}`;
  return { code: "left_running", message };
}

/** The notices for a process that has ended. */
export function endingNotices(agentName: string, how: ProcessEnd, stopped: Stopped | undefined): Notice[] {
  const { leftBehind, survivors, holders, untraceable } = how;
  return [
    ...(leftBehind.length > 0 && stopped === undefined ? [leftBehindNotice(agentName, leftBehind)] : []),
    ...(survivors.length > 0 ? [survivorsNotice(survivors)] : []),
    ...(holders.length > 0 ? [holdersNotice(agentName, holders)] : []),
    ...(untraceable.length > 0 ? [untraceableNotice(untraceable)] : []),
  ];
}

function survivorsNotice(survivors: readonly FoundProcess[]): Notice {
  return { code: "not_stopped", message: `processes of this run could not be stopped: ${named(survivors)}` };
}

function holdersNotice(agentName: string, holders: readonly FoundProcess[]): Notice {
  const message = `started before ${agentName} and holding its output open: ${named(holders)}. Left alone; what they print from now on is not read`;
  return { code: "output_held", message };
}

function untraceableNotice(found: readonly FoundProcess[]): Notice {
  const message = `processes that started during this run could not be traced to it and were left running: ${named(found)}; stop them yourself if they are not needed`;
  return { code: "untraceable", message };
}

export const blindNotice: Notice = {
  code: "unsupervised",
  message:
    "/proc cannot be read here, so processes that leave the agent's process group cannot be found and may be left running",
};

function named(processes: readonly FoundProcess[]): string {
  return processes.map(({ name, pid }) => `${name} (process ${Math.abs(pid)})`).join(", ");
}

/** Why harness ended a run: the limit that was reached. */
export const limitWords = {
  timedOut: (ms: number) => `the run took longer than its time limit of ${toDuration(ms)}`,
  turnTimedOut: (ms: number) => `the turn took longer than its time limit of ${toDuration(ms)}`,
  stalled: (ms: number) => `the agent printed nothing for ${toDuration(ms)}, its idle limit`,
};

/** For people: `250 ms`, `1.5 s`, `2 min`. */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  return `${Number((ms / 60_000).toFixed(1))} min`;
}
