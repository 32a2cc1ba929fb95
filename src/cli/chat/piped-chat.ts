import { createInterface } from "node:readline";
import { messageOf } from "../../errors.js";
import type { Step } from "../../events/step.js";
import { permissionsName } from "../../live/rules/rule.js";
import { complain } from "../complain.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import type { StandardOutput } from "../output.js";
import { createPrinter } from "../printing/printer.js";
import { createChatEnd } from "./chat-end.js";
import type { ChatSession } from "./chat-session.js";
import type { ChatFlags } from "./command.js";
import { createOwnTurns, type OwnTurns } from "./own-turns.js";

export interface PipedOptions {
  prompt: string | undefined;
  flags: ChatFlags;
  output: StandardOutput;
}

/** Prompts that may wait at once: whoever writes faster has to wait for the agent. */
const longestQueue = 100;

/**
 * Each line of standard input is a prompt. The chat ends after the turn of the last one. Of a session of another process, only
 * these turns are printed, and it goes on.
 */
export async function talkThroughPipe(
  session: ChatSession,
  { prompt, flags, output }: PipedOptions,
): Promise<number> {
  const { agent, permissions, isOwn } = session;
  output.onClose(() => session.stop());
  const watch = cancelOnSignals(() => session.stop());
  const printer = await createPrinter({
    format: flags.format,
    agent,
    output,
    permissions: permissionsName(permissions),
    recording: isOwn ? session.recording : undefined,
    showsThinking: flags.thinking,
  });
  const turns = createOwnTurns();
  let problem: unknown;
  const sending = sendLines(session, prompt, turns)
    .catch((error: unknown) => {
      problem = error;
    })
    .finally(() => session.end());
  const end = createChatEnd();
  for await (const batch of session.batches) {
    await turns.known();
    const printed = isOwn ? batch : { steps: batch.steps.filter((step) => isOwnStep(step, turns)) };
    end.note(batch.steps.flatMap((step) => step.events));
    await printer.print(printed);
    turns.note(batch.steps.flatMap((step) => step.events));
  }
  turns.close();
  await printer.end();
  printer.close();
  const { recordingProblems = [] } = (await session.result) ?? {};
  // Nobody reads the rest of the input. What kept us from sending it is known.
  if (!isOwn) await sending;
  watch.stop();
  for (const each of recordingProblems) complain(each);
  const signal = watch.signal ?? (output.isClosed ? "SIGPIPE" : undefined);
  if (!isOwn) return leftCode(turns, problem, signal);
  const exitCode = end.exitCode(signal);
  if (exitCode === exitCodes.success && turns.hasFailed) return exitCodes.runFailed;
  return exitCode === exitCodes.success && recordingProblems.length > 0 ? exitCodes.notWritten : exitCode;
}

/** A session that was left: its own end says nothing about our prompts. */
function leftCode(turns: OwnTurns, problem: unknown, signal: NodeJS.Signals | undefined): number {
  if (signal !== undefined) return exitCodeOfSignal(signal);
  if (problem !== undefined) complain(messageOf(problem));
  else if (!turns.areOver) complain("the session has ended before the last prompt was answered");
  return problem === undefined && turns.areOver && !turns.hasFailed ? exitCodes.success : exitCodes.runFailed;
}

async function sendLines(session: ChatSession, prompt: string | undefined, turns: OwnTurns): Promise<void> {
  async function send(text: string): Promise<void> {
    await turns.sent(session.control.send(text));
    await turns.untilWaiting(longestQueue);
  }
  if (prompt !== undefined) await send(prompt);
  // A session that ends by itself does not wait for the rest of the input.
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  void session.result.then(() => lines.close());
  for await (const line of lines) if (line.trim() !== "") await send(line);
  process.stdin.unref?.();
  await turns.untilWaiting(0);
}

/** What a step of somebody else's session has to do with our prompts. The header is made from its beginning. */
function isOwnStep({ events }: Step, turns: OwnTurns): boolean {
  return events.some(
    ({ type, turnId }) =>
      type === "started" || type === "session" || (turnId !== undefined && turns.has(turnId)),
  );
}
