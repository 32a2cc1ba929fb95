import { HarnessError } from "../../errors.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { attachChatSession, type ChatSession, openChatSession } from "./chat-session.js";
import { type ChatPlan, planChat } from "./chat-task.js";
import type { ChatFlags } from "./command.js";
import { talkInLines } from "./line-chat.js";
import { talkThroughPipe } from "./piped-chat.js";
import { talkOnTerminal } from "./terminal-chat.js";

export interface ChatGiven {
  prompt: string | undefined;
  behindDashes: readonly string[];
  flags: ChatFlags;
}

/** A conversation in the terminal, or with whatever writes to standard input. */
export async function chatAction({ prompt, behindDashes, flags }: ChatGiven): Promise<number> {
  const output = createOutput(process.stdout);
  const isAttended = process.stdin.isTTY === true && process.stdout.isTTY === true && flags.format === "text";
  if (!isAttended) {
    if (flags.attach !== undefined)
      throw new HarnessError(
        "invalid_option",
        "--attach needs a terminal and --format text: somebody has to answer",
      );
    const plan = await planChat(flags, { behindDashes, isUnattended: true });
    for (const note of plan.notes) complain(note);
    return talkThroughPipe(openChatSession(plan.task, { isUnattended: true }), { prompt, flags, output });
  }
  const talk = process.env["TERM"] === "dumb" ? talkInLines : talkOnTerminal;
  let first = prompt;
  let current = flags;
  for (;;) {
    const { session, plan } = await begin(current, behindDashes);
    const { exitCode, next } = await talk(session, { plan, prompt: first, flags, output });
    if (next === undefined) return exitCode;
    // Another session may be of another agent, with another model, in another directory.
    current = {
      ...flags,
      resume: next,
      attach: undefined,
      agent: undefined,
      model: undefined,
      cwd: undefined,
    };
    first = undefined;
  }
}

async function begin(
  flags: ChatFlags,
  behindDashes: readonly string[],
): Promise<{ session: ChatSession; plan?: ChatPlan }> {
  if (flags.attach !== undefined) return { session: await attachChatSession(flags.attach, flags.trust) };
  const plan = await planChat(flags, { behindDashes, isUnattended: false });
  return { session: openChatSession(plan.task, { isUnattended: false }), plan };
}
