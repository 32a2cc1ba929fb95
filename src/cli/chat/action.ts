import { HarnessError } from "../../errors.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { promptArgument, splitAtDashes } from "../running/prompt-argument.js";
import { attachChatSession, type ChatSession, openChatSession } from "./chat-session.js";
import { type ChatPlan, planChat } from "./chat-task.js";
import type { ChatFlags } from "./command.js";
import { talkInLines } from "./line-chat.js";
import { talkThroughPipe } from "./piped-chat.js";
import { talkOnTerminal } from "./terminal-chat.js";

export interface ChatGiven {
  /** The prompt, and after `--` arguments for the agent. */
  words: readonly string[];
  flags: ChatFlags;
  refuse(sentence: string): never;
}

/** A conversation in the terminal, or with whatever writes to standard input. */
export async function chatAction({ words: all, flags, refuse }: ChatGiven): Promise<number> {
  const { words, behindDashes } = splitAtDashes(all);
  const prompt = promptArgument(words, {}, "chat", refuse);
  const output = createOutput(process.stdout);
  const isAttended = process.stdin.isTTY === true && process.stdout.isTTY === true && flags.format === "text";
  if (!isAttended) return talkThroughPipe(await beginPiped(flags, behindDashes), { prompt, flags, output });
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

/** Somebody else answers for a session of another process; for our own, nobody does. */
async function beginPiped(flags: ChatFlags, behindDashes: readonly string[]): Promise<ChatSession> {
  if (flags.attach !== undefined) {
    if (wholeRuns.has(flags.format))
      throw new HarnessError(
        "invalid_option",
        `--attach prints only the turns of its own prompts, and ${flags.format} is about a whole session; choose text or ndjson`,
      );
    return attachChatSession(flags.attach, flags.trust);
  }
  const plan = await planChat(flags, { behindDashes, isUnattended: true });
  for (const note of plan.notes) complain(note);
  return openChatSession(plan.task, { isUnattended: true });
}

const wholeRuns: ReadonlySet<string> = new Set<ChatFlags["format"]>(["json", "markdown", "html"]);
