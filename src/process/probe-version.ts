import { execFile } from "node:child_process";

/** Some agents take 20 s to start on a slow machine. */
const probeTimeoutMs = 30_000;

/**
 * Asks a program for its version. Undefined if it does not print one in time: a missing version is never a reason to
 * fail. Pi prints it on standard error.
 */
export function probeVersion(path: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: probeTimeoutMs, killSignal: "SIGKILL", maxBuffer: 1024 * 1024 } as const;
    const child = execFile(path, [...args], options, (_error, stdout, stderr) => {
      resolve(versionIn(stdout) ?? versionIn(stderr));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end();
  });
}

/** The first word that looks like a version: `2.1.197 (Claude Code)`, `codex-cli 0.166.0`, `v1.2.3`. */
export function versionIn(text: string): string | undefined {
  return /(?:^|[\s/@])v?(\d+\.\d+(?:\.\d+)?(?:[-+.][0-9A-Za-z][\w.+-]*)?)(?=$|[\s,;)]|\.(?:\s|$))/m.exec(
    text,
  )?.[1];
}
