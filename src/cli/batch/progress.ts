import type { Batch } from "../../batch/batch.js";
import type { LedgerLine } from "../../batch/model/ledger-line.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import type { Line } from "../../outputs/text/line.js";
import { createLiveScreen } from "../../outputs/text/live-screen.js";
import { paint } from "../../outputs/text/paint.js";
import { spellSafely, toJson } from "../../text/to-json.js";
import type { PrintTarget } from "../output.js";
import { describeLine } from "./describe-line.js";
import { standingsOf } from "./figures.js";
import { toLiveTable } from "./live-table.js";

/** Shows a batch while it runs. */
export interface BatchProgress {
  line(line: LedgerLine): Promise<void> | undefined;
  /** Leaves the terminal tidy. */
  close(): void;
}

export type ProgressFormat = "text" | "ndjson";

/** The terminal that is written to. */
export type TableTerminal = Pick<NodeJS.WriteStream, "columns" | "rows" | "on" | "off">;

export interface ProgressOptions {
  format: ProgressFormat;
  output: PrintTarget;
  terminal: TableTerminal | undefined;
  /** The last row of the table: what the user can do. */
  hint(): string;
}

export function createProgress(batch: Batch, options: ProgressOptions): BatchProgress {
  if (options.format === "ndjson") return createLines(options.output);
  const { terminal } = options;
  return terminal === undefined || process.env["TERM"] === "dumb"
    ? createRows(batch, options.output)
    : createTable(batch, { ...options, terminal });
}

/** `--format ndjson`: the lines of the ledger. */
function createLines(output: PrintTarget): BatchProgress {
  return { line: (line) => output.write(`${spellSafely(toJson(line))}\n`), close: () => undefined };
}

/** Where there is no terminal: a row for each cell that ends. */
function createRows({ state }: Batch, output: PrintTarget): BatchProgress {
  const hasColors = hasColorSupport({ env: process.env, isTerminal: false });
  let ended = standingsOf(state).all.done;
  return {
    line(line) {
      if (line.type === "done") ended += 1;
      const row = describeLine(line, state, ended);
      return row === undefined ? undefined : output.write(`${paint(row, hasColors).trimEnd()}\n`);
    },
    close: () => undefined,
  };
}

const tickMs = 250;

/** On a terminal: what went wrong scrolls up, and below it the table is redrawn in place. */
function createTable(
  { state }: Batch,
  { output, terminal, hint }: ProgressOptions & { terminal: TableTerminal },
): BatchProgress {
  const since = Date.now();
  const columns = (): number => terminal.columns || 80;
  const screen = createLiveScreen(columns(), hasColorSupport({ env: process.env, isTerminal: true }));
  let isWriting = false;

  function table(): Line[] {
    const rows = Math.max(4, (terminal.rows || 24) - 1);
    return toLiveTable(state, { now: Date.now(), since, columns: columns(), rows, hint: hint() });
  }

  function redraw(): void {
    if (!isWriting) output.write(screen.redraw(table()));
  }

  function resize(): void {
    screen.resize(columns());
    if (!isWriting) output.write(screen.draw([], table()));
  }

  /** Ctrl-Z: tidies the terminal for the shell, then stops as asked. */
  function suspend(): void {
    output.write(screen.clear());
    process.kill(process.pid, "SIGSTOP");
  }

  const timer = setInterval(redraw, tickMs);
  timer.unref();
  terminal.on("resize", resize);
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", redraw);
  redraw();
  return {
    async line(line) {
      const isPass = line.type === "done" && line.verdict === "passed";
      const row = isPass ? undefined : describeLine(line, state);
      if (row === undefined) return;
      isWriting = true;
      await output.write(screen.draw([row], table()));
      isWriting = false;
    },
    close() {
      clearInterval(timer);
      terminal.off("resize", resize);
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", redraw);
      output.write(screen.clear());
    },
  };
}
