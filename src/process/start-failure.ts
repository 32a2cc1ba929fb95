import { messageOf, systemCode } from "../errors.js";
import type { ExitRecord } from "../events/raw-record.js";

/** Why a process could not be started: a kind, and a message that says what to do next. */
export type StartFailure = NonNullable<ExitRecord["startFailure"]>;

/** Explains an error of `spawn`. The program and the directory are known to exist at this point. */
export function describeSpawnError(error: unknown, program: string): StartFailure {
  const code = systemCode(error) ?? "";
  const known = spawnErrors[code];
  if (known !== undefined) return { kind: known.kind, message: known.say(program) };
  return { kind: "unknown", message: `${program} could not be started: ${messageOf(error)}` };
}

const outOfResources = {
  kind: "unknown" as const,
  say: (program: string) =>
    `${program} could not be started: the system cannot create another process or open another file; run fewer agents at once, or raise the limits (ulimit -u, ulimit -n)`,
};

const spawnErrors: Record<string, { kind: StartFailure["kind"]; say(program: string): string }> = {
  ENOENT: {
    kind: "not_installed",
    say: (program) =>
      `${program} could not be started: the file, or the interpreter named in its first line, is missing; reinstall it`,
  },
  EACCES: {
    kind: "config",
    say: (program) =>
      `${program} could not be started: permission denied; make it executable (chmod +x), and check the permissions of its directory`,
  },
  EPERM: {
    kind: "config",
    say: (program) =>
      `${program} could not be started: the system does not permit it; check its owner and the security policy of this machine`,
  },
  ENOEXEC: {
    kind: "config",
    say: (program) =>
      `${program} is not a program for this machine; install the build for ${process.platform} ${process.arch}`,
  },
  E2BIG: {
    kind: "config",
    say: (program) =>
      `${program} could not be started: its arguments and environment are too large; shorten the prompt or the system prompt, or unset large variables`,
  },
  ERR_INVALID_ARG_VALUE: {
    kind: "config",
    say: (program) =>
      `${program} could not be started: an argument or variable contains a NUL character; remove it`,
  },
  EAGAIN: outOfResources,
  EMFILE: outOfResources,
  ENFILE: outOfResources,
  ENOMEM: outOfResources,
};
