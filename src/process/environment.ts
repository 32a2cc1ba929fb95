/** Holds the id of the run that an agent belongs to. */
export const runVariable = "HARNESS_RUN_ID";

/**
 * Marks every process that a run starts, so that all of them can be found. It holds one mark for each run that a process
 * belongs to: an agent may itself run `harness`, and the outer run is responsible for the inner one.
 */
export const marksVariable = "HARNESS_RUN_MARKS";

/** The mark of a run: a string that is unique enough to be found by a plain text search. */
export function markOf(runId: string): string {
  return `${markStart}${runId}${markEnd}`;
}

export const markStart = "harness-run=";
export const markEnd = ";";

/**
 * `1` trusts the project's file without asking. Agents do not inherit it, because it must not apply to a repository that
 * an agent clones later.
 */
export const trustVariable = "HARNESS_TRUST";

/** The address of the queue, with its password: whoever has it can run commands on every worker. Agents do not inherit it. */
export const queueVariable = "HARNESS_QUEUE";

/** The secret that signs the messages of `--webhook`. Agents do not inherit it: whoever has it can forge messages. */
export const webhookVariable = "HARNESS_WEBHOOK_SECRET";

/** The token of `harness view`: whoever has it can start agents as the user. Agents do not inherit it. */
export const viewTokenVariable = "HARNESS_VIEW_TOKEN";

/**
 * Variables that an agent sets for its children and that break another agent started among them:
 * - Claude Code refuses to start, or exits silently, inside a session of its own (claude-code#32618, openclaw#57858).
 * - Codex takes over the outer thread's id and assumes the outer sandbox (codex#15527, devswarm#390).
 * Variables that only announce an agent (GEMINI_CLI, OPENCODE, CURSOR_AGENT …) do no harm and are inherited.
 */
export const nestingVariables: readonly string[] = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
];

const notInherited: ReadonlySet<string> = new Set([
  ...nestingVariables,
  trustVariable,
  queueVariable,
  webhookVariable,
  viewTokenVariable,
]);

export interface EnvironmentLayers {
  runId: string;
  /** The agent's working directory. */
  cwd: string;
  /** Set by the agent's launcher. */
  launch?: Readonly<Record<string, string>> | undefined;
  /** Set by the user. Overrides everything, including the variables that are not inherited. */
  task?: Readonly<Record<string, string>> | undefined;
}

/**
 * The environment of the agent: ours without the variables that break nesting, then the launcher's, then the user's.
 * `PWD` is the agent's working directory, as after a `cd`: some agents trust it more than the real directory.
 */
export function createEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  layers: EnvironmentLayers,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !notInherited.has(name)) environment[name] = value;
  }
  return {
    ...environment,
    PWD: layers.cwd,
    ...layers.launch,
    ...layers.task,
    [runVariable]: layers.runId,
    [marksVariable]: `${inherited[marksVariable] ?? ""}${markOf(layers.runId)}`,
  };
}
