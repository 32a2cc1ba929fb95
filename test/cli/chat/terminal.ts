import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { createScreen } from "../../outputs/text/screen.js";
import { commandPath, homeEnvironment, ownEnvironment } from "../harness.js";

/** `harness` on a real pseudo terminal. */
export interface Terminal {
  /** What the terminal shows, above the last row too. */
  readonly rows: string[];
  readonly cursor: { row: number; column: number };
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when the words are on the screen. Rejects if the command ends without them. */
  sees(words: string | RegExp): Promise<void>;
  ended: Promise<number | null>;
}

const driver = fileURLToPath(new URL("./run-on-terminal.py", import.meta.url));

const patienceMs = 20_000;

const opened = new Set<ChildProcess>();
afterAll(() => {
  for (const child of opened) child.kill();
});

export function openTerminal(
  args: readonly string[],
  options: { columns?: number; rows?: number; cwd: string; env?: Record<string, string> },
): Terminal {
  const { columns = 80, rows = 24, cwd, env } = options;
  const child = spawn("python3", [driver, `${columns}`, `${rows}`, process.execPath, commandPath, ...args], {
    cwd,
    env: { ...ownEnvironment(), ...homeEnvironment(), TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const screen = createScreen(columns);
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen.write(text);
    for (const watch of watchers) watch();
  });
  const ended = new Promise<number | null>((resolve) => void child.on("close", resolve));
  opened.add(child);
  const say = (value: unknown): void => void child.stdin.write(`${JSON.stringify(value)}\n`);
  const shown = (): string => screen.rows.join("\n");

  function sees(words: string | RegExp): Promise<void> {
    const isThere = (): boolean =>
      typeof words === "string" ? shown().includes(words) : words.test(shown());
    return new Promise((resolve, reject) => {
      const watch = (): void => {
        if (isThere()) resolve();
      };
      watchers.add(watch);
      watch();
      const give = (): void => reject(new Error(`${words} was not seen:\n${shown()}`));
      void ended.then(give);
      // So that the failure shows the screen.
      setTimeout(give, patienceMs).unref();
    });
  }

  return {
    get rows() {
      return screen.rows;
    },
    get cursor() {
      return screen.cursor;
    },
    type: (text) => say({ type: text }),
    resize: (nextColumns, nextRows) => say({ resize: [nextColumns, nextRows] }),
    sees,
    ended,
  };
}
