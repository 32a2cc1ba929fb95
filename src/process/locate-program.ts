import { readFileSync, statSync } from "node:fs";
import { findProgram, type ProgramSearch } from "./find-program.js";
import { problemOfProgram } from "./program-format.js";
import { isBatchFile, parseShim } from "./shim-windows.js";
import type { StartFailure } from "./start-failure.js";

export interface WantedProgram {
  /** The agent's display name. */
  agentName: string;
  /** Names to look for on PATH; the first one found is used. */
  names: readonly string[];
  /** A path or name that the user has chosen. Nothing else is tried. */
  binary?: string | undefined;
  /** The command that installs it. */
  install: string;
}

/** What to execute. `leadingArgs` come before the agent's own arguments. */
export type LocatedProgram = { path: string; leadingArgs: string[] } | { failure: StartFailure };

/** Finds the program to execute, or returns the reason why it cannot be executed and what to do about it. */
export function locateProgram(wanted: WantedProgram, search: ProgramSearch): LocatedProgram {
  const problem = problemOfDirectory(search.cwd);
  if (problem !== undefined) return fail("config", problem);
  const names = wanted.binary === undefined ? wanted.names : [wanted.binary];
  if (names.length === 0) return fail("config", unnamed(wanted));
  let notExecutable: string | undefined;
  for (const name of names) {
    const found = findProgram(name, search);
    if (found.path !== undefined) return checked(found.path);
    notExecutable ??= found.notExecutable;
  }
  if (notExecutable !== undefined) {
    return fail("config", `${notExecutable} is not executable; fix it with: chmod +x ${notExecutable}`);
  }
  return fail("not_installed", notFound(wanted));
}

function checked(path: string): LocatedProgram {
  if (process.platform === "win32" && isBatchFile(path)) return targetOfShim(path);
  const problem = problemOfProgram(path);
  return problem === undefined ? { path, leadingArgs: [] } : fail("config", problem);
}

function targetOfShim(path: string): LocatedProgram {
  const target = parseShim(path, readFileSync(path, "utf8"), process.execPath);
  if (target !== undefined) return target;
  return fail(
    "config",
    `${path} is a batch file, which only a shell can run; use the path of the program that it starts`,
  );
}

/** The generic agent runs any program and has no default. */
function unnamed({ agentName }: WantedProgram): string {
  return `${agentName} has no program of its own; name the program with --binary PROGRAM (binary in the configuration or the library)`;
}

function notFound({ agentName, names, binary, install }: WantedProgram): string {
  // A custom agent need not say how it is installed.
  const how = install === "" ? "" : ` with: ${install}`;
  if (binary !== undefined) return `${binary} was not found; check the path, or install ${agentName}${how}`;
  const tried = names.map((name) => `"${name}"`).join(" or ");
  return `${agentName} is not installed: ${tried} was not found on PATH; install it${how}`;
}

function problemOfDirectory(cwd: string): string | undefined {
  try {
    return statSync(cwd).isDirectory()
      ? undefined
      : `the working directory ${cwd} is not a directory; choose another one`;
  } catch {
    return `the working directory ${cwd} does not exist or cannot be entered; create it or choose another one`;
  }
}

function fail(kind: StartFailure["kind"], message: string): LocatedProgram {
  return { failure: { kind, message } };
}
