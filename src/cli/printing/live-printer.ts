import type { WriteStream } from "node:tty";
import type { AgentDefinition } from "../../agents/definition.js";
import type { Step } from "../../events/step.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { createLiveWriter } from "../../outputs/text/live-writer.js";
import type { Output } from "../output.js";
import type { Reader } from "../step-writer.js";
import type { Printer } from "./printer.js";
import { createAgentView } from "./text-writer.js";

export type LiveTerminal = Pick<WriteStream, "columns" | "on" | "off">;

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
    stopping: reader.stopping,
  });
  /** While the terminal takes its time, nothing else is written in between. */
  let isWriting = false;
  let isResized = false;

  async function print(steps: readonly Step[]): Promise<void> {
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

  /** Ctrl-Z: the shell gets a tidy terminal, and then the stop that it asked for. */
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
    close() {
      clearInterval(timer);
      terminal.off("resize", resize);
      process.off("SIGTSTP", suspend);
      process.off("SIGCONT", resume);
      output.write(writer.suspend());
    },
  };
}
