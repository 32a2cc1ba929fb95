import type { AgentDefinition } from "../../agents/definition.js";
import { HarnessError } from "../../errors.js";
import type { StopReason } from "../../events/recording-meta.js";
import { connectControl } from "../../live/control/connect-control.js";
import { controlOf } from "../../live/control/control-of.js";
import { findLiveSession } from "../../live/control/find-live-session.js";
import type { SessionControl } from "../../live/control/session-control.js";
import { beginSession } from "../../live/open.js";
import { type PermissionRules, permissionsName } from "../../live/rules/rule.js";
import type { SessionTask } from "../../live/session-task.js";
import { runVariable } from "../../process/environment.js";
import type { RunResult } from "../../runs/task.js";
import { createKnownAgents } from "../../server/find-agent.js";
import { followRecording } from "../../server/follow-recording.js";
import { createPulse } from "../../server/pulse.js";
import { readConfiguration } from "../configuration.js";
import type { PrintedBatch } from "../printing/printer.js";

/** A session that is talked with: one of this process, or of another one. */
export interface ChatSession {
  runId: string;
  agent: AgentDefinition;
  cwd: string;
  control: SessionControl;
  /** What happens, from the beginning. Ends with the session, or when it was left. */
  batches: AsyncIterable<PrintedBatch>;
  permissions: string | PermissionRules;
  hasRules: boolean;
  recording(): string | undefined;
  stopping(): StopReason | undefined;
  /** Ends it in order. One of another process is only left. */
  end(): void;
  /** Stops it at once. One of another process is only left. */
  stop(): void;
  /** Undefined: it was left, and goes on. */
  result: Promise<RunResult | undefined>;
  isOwn: boolean;
}

/** Opens a session. Throws as `open` does. */
export function openChatSession(
  task: SessionTask & { agent: AgentDefinition; cwd: string },
  options: { isUnattended: boolean },
): ChatSession {
  const session = beginSession(task, options);
  const { permissions = "full-access" } = task;
  return {
    runId: session.runId,
    agent: task.agent,
    cwd: task.cwd,
    control: controlOf(session),
    batches: session.recordedBatches(),
    permissions,
    hasRules: typeof permissions === "object",
    recording: () => session.recording,
    stopping: () => session.stopping,
    end: () => void session.close(),
    stop: () => session.cancel(),
    result: session.result,
    isOwn: true,
  };
}

/** How often a recording is looked at for what is new. */
const pulseMs = 100;

/** Joins a session of another process. */
export async function attachChatSession(id: string, trust: boolean | undefined): Promise<ChatSession> {
  refuseInRun();
  const { recording, address } = await findLiveSession(id);
  const { meta, paths } = recording;
  const { agent } = createKnownAgents(readConfiguration({ cwd: meta.cwd, trust })).find(recording);
  const control = await connectControl(address);
  const leaving = new AbortController();
  const leave = (): void => {
    leaving.abort();
    control.disconnect();
  };
  const { signal } = leaving;
  const pulse = createPulse(pulseMs);
  async function* batches(): AsyncGenerator<PrintedBatch> {
    for await (const steps of followRecording(recording, agent, { pulse, signal })) yield { steps };
  }
  return {
    runId: recording.id,
    agent,
    cwd: meta.cwd,
    control,
    batches: batches(),
    permissions: meta.permissions,
    hasRules: meta.permissions === rulesName,
    recording: () => paths.ndjson,
    stopping: () => undefined,
    end: leave,
    stop: leave,
    result: control.closed.then(() => undefined),
    isOwn: false,
  };
}

/** An agent must not answer its own requests. This stops mistakes, not malice: its commands are programs of the same user. */
function refuseInRun(): void {
  if (process.env[runVariable] === undefined) return;
  const message = "a program that harness runs cannot join a session; run this in a terminal of your own";
  throw new HarnessError("invalid_option", message);
}

const rulesName = permissionsName({ allow: [] });
