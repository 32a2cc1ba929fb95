import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";

/**
 * Says why a file cannot be executed, or returns undefined. This has to be checked beforehand: the C library passes a
 * file of unknown format to `/bin/sh`, and harness never runs anything through a shell.
 */
export function problemOfProgram(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const head = readHead(path);
  if (head === undefined) return undefined;
  if (head.length === 0) return `${path} is an empty file; reinstall it`;
  if (head.subarray(0, 2).toString("latin1") === "#!") return problemOfScript(path, head);
  if (process.platform !== "linux") return undefined;
  return problemOfBinary(path, head);
}

function problemOfScript(path: string, head: Buffer): string | undefined {
  const firstLine = head.toString("utf8").split("\n", 1)[0] ?? "";
  const interpreter = firstLine.slice(2).trim().split(/[ \t]/, 1)[0] ?? "";
  if (interpreter.startsWith("/") && !existsSync(interpreter)) {
    return `${path} needs ${JSON.stringify(interpreter)}, which does not exist; install it, or reinstall ${path}`;
  }
  return undefined;
}

function problemOfBinary(path: string, head: Buffer): string | undefined {
  if (hasEmulators()) return undefined;
  if (head.length >= 20 && head.readUInt32BE(0) === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
    const accepted = machines[process.arch];
    if (accepted === undefined || accepted.includes(machine)) return undefined;
    return `${path} is a program for another processor architecture; install the build for ${process.platform} ${process.arch}`;
  }
  return `${path} is not a program for this machine; install the build for ${process.platform} ${process.arch} (a script needs a first line such as #!/bin/sh)`;
}

/** The ELF machine numbers that each processor executes, including its 32-bit predecessor. */
const machines: Record<string, readonly number[]> = {
  x64: [62, 3],
  ia32: [3],
  arm64: [183, 40],
  arm: [40],
  riscv64: [243],
  ppc64: [21],
  s390x: [22],
  loong64: [258],
};

/** If emulators are registered (qemu, wine), the kernel can execute foreign formats too. */
function hasEmulators(): boolean {
  try {
    return readdirSync("/proc/sys/fs/binfmt_misc").some((name) => name !== "register" && name !== "status");
  } catch {
    return false;
  }
}

/** The first bytes, or undefined if the file is executable but not readable. */
function readHead(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const head = Buffer.alloc(256);
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
