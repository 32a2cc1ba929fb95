import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let folder: string | undefined;

/** Builds the programs of these tests, so that they can be processes of their own. */
export async function buildPrograms(): Promise<void> {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules/.cache/harness-queue-"));
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  const bundle = await rolldown({
    input: {
      worker: join(root, "test/queue/programs/worker.ts"),
      batch: join(root, "test/queue/programs/batch.ts"),
    },
    platform: "node",
    external: [/^node:/, "bullmq", "ioredis"],
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    logLevel: "silent",
  });
  await bundle.write({
    dir: join(folder, "dist/programs"),
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
  });
  await bundle.close();
}

export function removePrograms(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly lines: string[];
  /** Resolves when it has printed such a line. */
  printed(pattern: RegExp): Promise<string>;
  /** Resolves when it is gone. */
  readonly ended: Promise<unknown>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export function startProgram(name: "worker" | "batch", options: object, env = {}): StartedProgram {
  if (folder === undefined) throw new Error("the programs have not been built");
  const path = join(folder, `dist/programs/${name}.cjs`);
  const child = spawn(process.execPath, [path, JSON.stringify(options)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  // Not when it exits: what it printed last may still be in the pipe.
  let isGone = false;
  const ended = once(child, "close").then(() => {
    isGone = true;
    for (const look of waiting) look();
  });
  return {
    child,
    lines,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line));
          if (found === undefined && !isGone) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`${name} ended without printing ${pattern}:\n${lines.join("\n")}`));
        };
        waiting.add(look);
        look();
      }),
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
}
