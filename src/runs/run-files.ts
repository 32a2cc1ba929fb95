import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Launch } from "../agents/definition.js";
import { HarnessError, messageOf } from "../errors.js";
import type { StartFailure } from "../process/start-failure.js";
import type { IsolatedHome } from "./isolated-home.js";

/** Where the files of one run are. The directory exists only while the run needs it. */
export function runDirectory(runId: string): string {
  return join(tmpdir(), `harness-${runId}`);
}

/**
 * Writes the files that an agent is to load, and its fresh home if it is isolated, into a directory of their own, which only
 * this user can read. It is removed at the end of the run.
 */
export function createRunFiles({
  directory,
  launch,
  home,
}: {
  directory: string;
  launch: Pick<Launch, "files">;
  home: IsolatedHome | undefined;
}): { remove(): void } | { failure: StartFailure } {
  const { files = {} } = launch;
  const names = Object.keys(files);
  if (names.length === 0 && home === undefined) return { remove() {} };
  const remove = (): void => removeTree(directory);
  try {
    // Fails if it already exists: its content could not be trusted.
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    return refused(error);
  }
  try {
    for (const name of names)
      writeFileSync(join(directory, basename(name)), files[name] ?? "", { mode: 0o600, flag: "wx" });
    home?.create();
  } catch (error) {
    remove();
    return refused(error);
  }
  return {
    remove() {
      home?.keepCredentials();
      remove();
    },
  };
}

/**
 * The files of one turn, if every turn is a process of its own. The directory may be there already, with the fresh home and the
 * files of an earlier turn. Throws if they cannot be written.
 */
export function createTurnFiles({
  directory,
  launch,
  home,
}: {
  directory: string;
  launch: Pick<Launch, "files">;
  home: IsolatedHome | undefined;
}): { remove(): void } {
  const { files = {} } = launch;
  if (home === undefined) {
    const made = createRunFiles({ directory, launch, home });
    if ("failure" in made) throw new Error(made.failure.message);
    return made;
  }
  const paths = Object.keys(files).map((name) => join(directory, basename(name)));
  const remove = (): void => {
    for (const path of paths) rmSync(path, { force: true });
  };
  remove();
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(directory, basename(name)), text, { mode: 0o600, flag: "wx" });
  return { remove };
}

/**
 * Tools may leave directories that nobody may write to, such as the modules of Go. What cannot be removed even so stays in the
 * temporary directory, and does not change how the run ended.
 */
function removeTree(directory: string): void {
  for (const prepare of [() => {}, () => makeWritable(directory)]) {
    try {
      prepare();
      return rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The second attempt, or the system's own cleaning.
    }
  }
}

/** Never follows a link: it may lead to the user's own files. */
function makeWritable(directory: string): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(directory, entry.name));
}

function refused(error: unknown): { failure: StartFailure } {
  const problem = messageOf(error);
  const message =
    error instanceof HarnessError ? problem : `the run's own directory cannot be written: ${problem}`;
  return { failure: { kind: "config", message } };
}
