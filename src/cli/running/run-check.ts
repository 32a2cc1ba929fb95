import { StringDecoder } from "node:string_decoder";
import { runShellStep } from "../../batch/workspace/shell-step.js";
import type { RunCheck } from "../../events/run-check.js";
import { toCheckLine, toCommand } from "../../outputs/github/commands.js";
import { createRedactor } from "../../runs/redact/redactor.js";
import { serverValues } from "../../runs/secret-values.js";
import type { Task } from "../../runs/task.js";
import { cleanText } from "../../text/clean-text.js";
import { toVisibleLine } from "../../text/cut.js";
import { note } from "../complain.js";
import type { PrintTarget } from "../output.js";

/** `--check`: a command of the user that decides whether the work of the agent is right. */
export interface CheckRequest {
  command: string;
  timeoutMs: number;
}

/** The run that is checked, and where to show what the command prints. */
export interface CheckedRun {
  task: Task;
  runId: string;
  cwd: string;
  /** Standard output, if it is the log of a GitHub job. Otherwise standard error gets the lines. */
  jobLog: PrintTarget | undefined;
  signal: AbortSignal;
}

/**
 * Runs the command in the directory of the run, shows what it prints, and says how it ended. It ends with everything that it has
 * started. Never rejects.
 */
export async function runCheck({ command, timeoutMs }: CheckRequest, run: CheckedRun): Promise<RunCheck> {
  const { task, runId, cwd, jobLog, signal } = run;
  const redact = redactorOf(task);
  const title = `Check: ${toVisibleLine(redact(command), 200)}`;
  const print = (line: string): void => {
    if (jobLog === undefined) note(`${cleanText(line)}\n`);
    else void jobLog.write(`${toCheckLine(line)}\n`);
  };
  const lines = createLines((line) => print(redact(line)));
  if (jobLog === undefined) note(`\n${title}\n`);
  else await jobLog.write(`${toCommand("group", title)}\n`);
  const result = await runShellStep({ command, cwd, runId, timeoutMs, onOutput: lines.push, signal });
  lines.end();
  if (jobLog !== undefined) await jobLog.write(`${toCommand("endgroup")}\n`);
  const { isSuccess, exitCode, signal: endedBy, isTimedOut, durationMs, tail } = result;
  return {
    command: redact(command),
    isSuccess,
    exitCode,
    ...(endedBy !== undefined && { signal: endedBy }),
    ...(isTimedOut && { isTimedOut }),
    ...(signal.aborted && { isCancelled: true }),
    durationMs,
    tail: redact(tail),
  };
}

function redactorOf({ redact, env, mcpServers }: Task): (text: string) => string {
  if (!redact) return (text) => text;
  return createRedactor({ env: { ...process.env, ...env, ...serverValues(mcpServers) } }).text;
}

/** A line that does not end is shown in parts. */
const longestLine = 64 * 1024;

function createLines(show: (line: string) => void): { push(piece: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    push(piece) {
      const lines = (rest + decoder.write(piece)).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) show(line);
      if (rest.length <= longestLine) return;
      show(rest);
      rest = "";
    },
    end() {
      rest += decoder.end();
      if (rest !== "") show(rest.replace(/\r$/, ""));
      rest = "";
    },
  };
}
