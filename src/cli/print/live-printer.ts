import type { WriteStream } from "node:tty";
import type { AgentDefinition } from "../../agents/definition.js";
import { hasColorSupport } from "../../render/color-support.js";
import { createLiveWriter } from "../../render/live-writer.js";
import type { Output } from "../output.js";
import type { Reader } from "../step-writer.js";
import type { Printer } from "./printer.js";
import { createAgentView } from "./text-writer.js";

export type LiveTerminal = Pick<WriteStream, "columns" | "on" | "off" | "writableNeedDrain">;

const tickMs = 100;

/** `--format text` on a terminal: rows as they come, and below them what is going on. */
export function createLivePrinter(
  agent: AgentDefinition,
  output: Output,
  reader: Reader & { terminal: LiveTerminal },
): Printer {
  const { terminal } = reader;
  const columns = (): number => terminal.columns || 80;
  const writer = createLiveWriter({
    view: createAgentView(agent, reader),
    columns: columns(),
    hasColors: hasColorSupport({ env: process.env, isTerminal: true }),
    now: () => performance.now(),
  });
  const tick = (): void => {
    if (!terminal.writableNeedDrain) output.write(writer.tick());
  };
  const resize = (): void => {
    output.write(writer.resize(columns()));
  };
  /** Ctrl-Z: the shell gets a tidy terminal, and then the stop that it asked for. */
  const suspend = (): void => {
    output.write(writer.suspend());
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = (): void => {
    output.write(writer.resume());
  };
  const timer = setInterval(tick, tickMs);
  timer.unref();
  terminal.on("resize", resize);
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", resume);

  return {
    print: (steps) => output.write(writer.push(steps.map((step) => step.events))),
    close() {
      clearInterval(timer);
      terminal.off("resize", resize);
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", resume);
      output.write(writer.suspend());
    },
  };
}
