import type { WriteStream } from "node:tty";
import { createLiveWriter } from "../../outputs/text/live-writer.js";
import { openTextView } from "../../outputs/text/output.js";
import { type PrintedBatch, type Printer, type PrinterOptions, toOutputOptions } from "./printer.js";

export type LiveTerminal = Pick<WriteStream, "columns" | "on" | "off">;

const tickMs = 100;

/** `--format text` on a terminal: rows as they come, and below them what is going on. */
export async function createLivePrinter(
  options: PrinterOptions & { terminal: LiveTerminal },
): Promise<Printer> {
  const { terminal, output } = options;
  const columns = (): number => terminal.columns || 80;
  const outputOptions = toOutputOptions(options);
  const writer = createLiveWriter({
    view: await openTextView(outputOptions),
    columns: columns(),
    hasColors: outputOptions.hasColors ?? false,
    now: () => performance.now(),
    stopping: options.stopping,
  });
  /** True while a write is pending. Nothing else may be written in between. */
  let isWriting = false;
  let isResized = false;

  async function print({ steps }: PrintedBatch): Promise<void> {
    isWriting = true;
    await output.write(writer.push(steps.map((step) => step.events)));
    isWriting = false;
    if (isResized) resize();
  }

  function resize(): void {
    isResized = isWriting;
    if (!isWriting) output.write(writer.resize(columns()));
  }

  function tick(): void {
    if (!isWriting) output.write(writer.tick());
  }

  /** Ctrl-Z: tidies the terminal for the shell, then stops as asked. */
  function suspend(): void {
    output.write(writer.suspend());
    process.kill(process.pid, "SIGSTOP");
  }

  function resume(): void {
    output.write(writer.resume());
  }

  const timer = setInterval(tick, tickMs);
  timer.unref();
  terminal.on("resize", resize);
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", resume);

  return {
    print,
    end: () => output.write(writer.end()),
    close() {
      clearInterval(timer);
      terminal.off("resize", resize);
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", resume);
      output.write(writer.suspend());
    },
  };
}
