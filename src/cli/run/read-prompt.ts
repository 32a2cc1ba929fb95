import { readFileSync } from "node:fs";
import { buffer as readAll } from "node:stream/consumers";
import { HarnessError, problemOf } from "../../errors.js";
import type { RunFlags } from "./command.js";

const howTo =
  'give one as an argument, as in harness run "Fix the failing test", with --prompt, --prompt-file or on standard input';

type PromptFlags = Pick<RunFlags, "prompt" | "promptFile" | (typeof listOptions)[number]>;

/** Options that take all words up to the next option. */
const listOptions = ["allow", "deny", "ask", "env", "allowedTools"] as const;

/** The prompt from the flag, from a file (`-` is standard input), or from standard input, in that order. */
export async function readPrompt(flags: PromptFlags): Promise<string> {
  const prompt = flags.prompt ?? (await readFromElsewhere(flags));
  if (prompt.trim() === "")
    throw new HarnessError("empty_prompt", `the prompt is empty; ${howTo}${howItWasLost(flags)}`);
  return prompt;
}

/** `--allow read "Fix the test"` takes the prompt for a second rule. */
function howItWasLost(flags: PromptFlags): string {
  const greedy = listOptions.find((key) => (flags[key]?.length ?? 0) > 1);
  if (flags.prompt !== undefined || greedy === undefined) return "";
  const option = greedy === "allowedTools" ? "--allowed-tools" : `--${greedy}`;
  return ` (${option} takes every word up to the next option: put the prompt first)`;
}

async function readFromElsewhere(flags: PromptFlags): Promise<string> {
  const { promptFile: file } = flags;
  if (file !== undefined && file !== "-") return toText(readFile(file), `the prompt file ${file}`);
  if (file === undefined && process.stdin.isTTY)
    throw new HarnessError("no_prompt", `there is no prompt; ${howTo}${howItWasLost(flags)}`);
  return toText(await readAll(process.stdin), "the prompt on standard input");
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const message = `cannot read the prompt file ${file}: ${problemOf(error)}`;
    throw new HarnessError("unreadable_file", message, { cause: error });
  }
}

/** Agents take text. Anything else would reach them garbled, or not at all. */
function toText(bytes: Buffer, name: string): string {
  if (bytes.includes(0))
    throw new HarnessError("not_text", `${name} is not text: it contains a NUL character; give text`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch (error) {
    throw new HarnessError("not_text", `${name} is not valid UTF-8; convert it to UTF-8`, { cause: error });
  }
}
