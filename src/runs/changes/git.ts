import { spawn } from "node:child_process";
import { HarnessError, systemCode } from "../../errors.js";
import { cleanText } from "../../text/clean-text.js";

export interface GitCall {
  cwd: string;
  /** Variables for this call only. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Written to standard input. */
  input?: Uint8Array | string | undefined;
  /** Gets the output piece by piece, instead of the caller. False: that is enough, and git is ended. */
  onOutput?: ((piece: Buffer) => boolean) | undefined;
  /** Default 10 minutes. Git waits forever for a pipe that an agent has named `.gitignore`. */
  timeoutMs?: number | undefined;
  /** Ends git at once. */
  signal?: AbortSignal | undefined;
  /** Ctrl-C in a terminal does not reach it: who calls it decides what a signal ends. */
  hasOwnGroup?: boolean | undefined;
}

const defaultTimeoutMs = 10 * 60_000;

export interface GitEnd {
  isSuccess: boolean;
  output: Buffer;
  /** What git printed on standard error, as clean text. */
  complaint: string;
}

/**
 * Settings for every call. Git must start no program that a repository names: no hook, no monitor of the file system, no transport.
 * It must also leave the same files behind on every machine, whatever the user prefers for line ends.
 */
const settings: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.autocrlf=false",
  "core.eol=lf",
  "core.attributesFile=/dev/null",
  "core.splitIndex=false",
  "core.untrackedCache=false",
  "index.sparse=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.detachedHead=false",
].flatMap((setting) => ["-c", setting]);

const variables: Readonly<Record<string, string>> = {
  // No name of a transport: git fetches nothing, so it starts no ssh, no helper and no proxy.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Runs git, and returns what it printed. Throws if git fails. */
export async function git(args: readonly string[], call: GitCall): Promise<Buffer> {
  const { isSuccess, output, complaint } = await tryGit(args, call);
  if (isSuccess) return output;
  throw badWorkspace(`git ${commandOf(args)} failed: ${complaint || "it did not say why"}`);
}

function commandOf(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith("-")) ?? "";
}

/** Like `git`, for calls whose failure is an answer. Throws only if git cannot be started. */
export function tryGit(args: readonly string[], call: GitCall): Promise<GitEnd> {
  const { cwd, env, input, onOutput, timeoutMs = defaultTimeoutMs, signal, hasOwnGroup = false } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawn("git", [...settings, ...args], {
      cwd,
      env: { ...withoutGit(process.env), ...variables, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      detached: hasOwnGroup,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let isEnough = false;

    /** What is thrown here, because a disk is full, is the caller's. */
    function take(piece: Buffer, listen: (piece: Buffer) => boolean): void {
      try {
        isEnough = !listen(piece);
      } catch (error) {
        isEnough = true;
        reject(error);
      }
      if (isEnough) child.kill("SIGKILL");
    }

    const abort = (): void => {
      child.kill("SIGKILL");
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(
        badWorkspace(`git ${commandOf(args)} in ${cwd} did not end in ${Math.round(timeoutMs / 1000)} s`),
      );
    }, timeoutMs);
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    child.on("error", (error) => {
      over();
      reject(notStarted(error));
    });
    // Git may end before it has read everything. Its exit code says what happened.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.stdout.on("data", (piece: Buffer) => {
      if (onOutput === undefined) output.push(piece);
      else if (!isEnough) take(piece, onOutput);
    });
    child.stderr.on("data", (piece: Buffer) => {
      if (errors.length < maxErrorPieces) errors.push(piece);
    });
    child.on("close", (code) => {
      over();
      const complaint = complaintOf(Buffer.concat(errors).toString("utf8"));
      resolve({ isSuccess: isEnough || code === 0, output: Buffer.concat(output), complaint });
    });
  });
}

const maxErrorPieces = 64;

/**
 * An environment without git's own variables. If harness is started by a hook, they name the repository of that hook, and every git
 * command would work there.
 */
export function withoutGit(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith("GIT_")) kept[name] = value;
  }
  return kept;
}

export function badWorkspace(message: string, cause?: unknown): HarnessError {
  return new HarnessError("bad_workspace", message, { cause });
}

/** The line that says what went wrong. Hints and progress come before it. */
function complaintOf(text: string): string {
  const lines = cleanText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const fatal = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  return fatal.replace(/^(?:fatal|error): /, "");
}

function notStarted(error: unknown): HarnessError {
  const isMissing = systemCode(error) === "ENOENT";
  const message = isMissing
    ? "git could not be started: it is not installed, or the directory is gone; install git, and check the workspace"
    : `git could not be started: ${error instanceof Error ? error.message : String(error)}`;
  return badWorkspace(message, error);
}
