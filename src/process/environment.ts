/** Tells an agent which run it belongs to. */
export const runVariable = "HARNESS_RUN_ID";

/**
 * Marks everything that a run starts, so that none of it can be lost. It holds one mark for each run that a
 * process belongs to: an agent may run `harness` itself, and the outer run answers for the inner one.
 */
export const marksVariable = "HARNESS_RUN_MARKS";

/** The mark of a run: text that nothing else would hold by chance, and that can be found as it stands. */
export function markOf(runId: string): string {
  return `${markStart}${runId}${markEnd}`;
}

export const markStart = "harness-run=";
export const markEnd = ";";

/**
 * Trusts a project's file without asking (`1`). It is not handed on to agents: what one of them clones was not
 * there when the user decided.
 */
export const trustVariable = "HARNESS_TRUST";

/**
 * What an agent tells its own children and what misleads an agent started by one of them:
 * - Claude Code refuses to start, or exits silently, inside a session of its own (claude-code#32618, openclaw#57858).
 * - Codex takes over the outer thread's id and believes in the outer sandbox (codex#15527, devswarm#390).
 * Variables that only say "an agent is at work" (GEMINI_CLI, OPENCODE, CURSOR_AGENT …) break nothing and stay.
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

const notInherited: ReadonlySet<string> = new Set([...nestingVariables, trustVariable]);

export interface EnvironmentLayers {
  runId: string;
  /** Where the agent works. */
  cwd: string;
  /** What the agent's launcher sets. */
  launch?: Readonly<Record<string, string>> | undefined;
  /** What the user sets; wins, even over what is stripped. */
  task?: Readonly<Record<string, string>> | undefined;
}

/**
 * The environment of the agent: ours without what breaks nesting, then the launcher's, then the user's. `PWD` is
 * where the agent works, as after a `cd`: some agents believe it before the real directory.
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
