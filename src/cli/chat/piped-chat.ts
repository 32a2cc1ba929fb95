import { createInterface } from "node:readline";
import type { HarnessEvent } from "../../events/event.js";
import { permissionsName } from "../../live/rules/rule.js";
import { complain } from "../complain.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodes } from "../exit-codes.js";
import type { StandardOutput } from "../output.js";
import { createPrinter } from "../printing/printer.js";
import { createChatEnd } from "./chat-end.js";
import type { ChatSession } from "./chat-session.js";
import type { ChatFlags } from "./command.js";

export interface PipedOptions {
  prompt: string | undefined;
  flags: ChatFlags;
  output: StandardOutput;
}

/** Prompts that may wait at once: whoever writes faster has to wait for the agent. */
const longestQueue = 100;

/** Each line of standard input is a prompt. The chat ends after the turn of the last one. */
export async function talkThroughPipe(
  session: ChatSession,
  { prompt, flags, output }: PipedOptions,
): Promise<number> {
  const { agent, control, permissions } = session;
  output.onClose(() => session.stop());
  const watch = cancelOnSignals(() => session.stop());
  const printer = await createPrinter({
    format: flags.format,
    agent,
    output,
    permissions: permissionsName(permissions),
    recording: session.recording,
    showsThinking: flags.thinking,
  });
  const turns = createTurnCount();
  const sending = sendLines(session, prompt, turns).finally(() => session.end());
  sending.catch(() => undefined);
  const end = createChatEnd();
  let hasFailed = false;
  for await (const batch of session.batches) {
    const events = batch.steps.flatMap((step) => step.events);
    end.note(events);
    hasFailed ||= events.some((event) => event.type === "turn_end" && !event.isSuccess);
    await printer.print(batch);
    turns.note(events);
  }
  turns.close();
  await printer.end();
  printer.close();
  await control.state().catch(() => undefined);
  const { recordingProblems = [] } = (await session.result) ?? {};
  watch.stop();
  for (const problem of recordingProblems) complain(problem);
  const exitCode = end.exitCode(watch.signal ?? (output.isClosed ? "SIGPIPE" : undefined));
  if (exitCode === exitCodes.success && hasFailed) return exitCodes.runFailed;
  return exitCode === exitCodes.success && recordingProblems.length > 0 ? exitCodes.notWritten : exitCode;
}

async function sendLines(session: ChatSession, prompt: string | undefined, turns: TurnCount): Promise<void> {
  const { control } = session;
  let sent = 0;
  async function send(text: string): Promise<void> {
    await control.send(text);
    sent += 1;
    await turns.until(sent - longestQueue);
  }
  if (prompt !== undefined) await send(prompt);
  // A session that ends by itself does not wait for the rest of the input.
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  void session.result.then(() => lines.close());
  for await (const line of lines) if (line.trim() !== "") await send(line);
  process.stdin.unref?.();
  await turns.until(sent);
}

interface TurnCount {
  note(events: readonly HarnessEvent[]): void;
  /** Resolves when so many turns of prompts have ended, or no more will. */
  until(count: number): Promise<void>;
  close(): void;
}

function createTurnCount(): TurnCount {
  let ended = 0;
  let isClosed = false;
  const own = new Set<string>();
  let waiting: { count: number; go: () => void }[] = [];

  function wake(): void {
    const ready = waiting.filter(({ count }) => isClosed || ended >= count);
    waiting = waiting.filter((each) => !ready.includes(each));
    for (const { go } of ready) go();
  }

  return {
    note(events) {
      for (const event of events) {
        if (event.type === "turn" && event.origin === "user") own.add(event.turnId);
        if (event.type === "turn_end" && own.has(event.turnId)) ended += 1;
      }
      wake();
    },
    until: (count) =>
      new Promise((go) => {
        waiting.push({ count, go });
        wake();
      }),
    close() {
      isClosed = true;
      wake();
    },
  };
}
