import { createRunId } from "../../events/run-id.js";
import type { OutputName } from "../../outputs/registry.js";
import { webhookVariable } from "../../process/environment.js";
import type { Task } from "../../runs/task.js";
import type { Follower } from "../../sending/follower.js";
import { complain } from "../complain.js";
import type { OutputTargets } from "../running/output-targets.js";
import type { RunFlags } from "./command.js";

type FollowerFlags = Pick<RunFlags, "otlp" | "otlpEndpoint" | "otlpContents" | "webhook" | "webhookEvents">;

/** So many webhooks are enough for one run: each of them may take some seconds at its end. */
const maxWebhooks = 5;

/** Refuses options without which nothing would happen. */
export function refuseIdleSending(
  flags: FollowerFlags,
  { format, files }: OutputTargets,
  refuse: (sentence: string) => never,
): void {
  const outputs: readonly OutputName[] = [format, ...files.map(({ name }) => name)];
  if (flags.otlpContents && !flags.otlp && !outputs.includes("otlp"))
    refuse("--otlp-contents says what spans contain; add --otlp to send them, or --output otlp=FILE");
  if (flags.webhookEvents !== undefined && flags.webhook === undefined)
    refuse("--webhook-events says what a webhook gets; add --webhook URL");
  if ((flags.webhook?.length ?? 0) > maxWebhooks)
    refuse(`--webhook can be given ${maxWebhooks} times; let one receiver pass the messages on`);
}

/** Whoever else gets the run. Throws a `HarnessError` if an address, a secret or a variable is invalid, or a package is missing. */
export async function createFollowers(flags: FollowerFlags): Promise<Follower[]> {
  const followers: Follower[] = [];
  if (flags.otlp) {
    const { createOtlpFollower } = await import("../../sending/otlp/follower.js");
    const { otlpEndpoint: endpoint, otlpContents: hasContents } = flags;
    followers.push(await createOtlpFollower({ endpoint, hasContents, onProblem: complain }));
  }
  for (const url of flags.webhook ?? []) {
    const { createWebhookFollower } = await import("../../sending/webhook/follower.js");
    const secret = process.env[webhookVariable];
    followers.push(createWebhookFollower({ url, secret, events: flags.webhookEvents, onProblem: complain }));
  }
  return followers;
}

/** With `--otlp`, the run is the parent of whatever the agent itself reports to OpenTelemetry. */
export async function asTraced(task: Task, flags: FollowerFlags): Promise<Task> {
  if (!flags.otlp) return task;
  const { traceParentIn } = await import("../../sending/otlp/follower.js");
  const { traceParentOf } = await import("../../outputs/otlp/trace-parent.js");
  const parent = traceParentIn(process.env);
  if (parent === undefined && process.env["TRACEPARENT"] !== undefined)
    complain("warning: TRACEPARENT is not valid, so the run begins a trace of its own");
  const runId = task.runId ?? createRunId();
  return { ...task, runId, env: { TRACEPARENT: traceParentOf(runId, parent), ...task.env } };
}
