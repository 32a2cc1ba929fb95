import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { HarnessError, messageOf } from "../../errors.js";

const howTo = "give one with --prompt, --prompt-file or on standard input";

/** The prompt from the flag, a file, or standard input, in that order. */
export async function readPrompt(flags: { prompt?: string; promptFile?: string }): Promise<string> {
  const prompt = flags.prompt ?? (await readFromElsewhere(flags.promptFile));
  if (prompt.trim() === "") throw new HarnessError("empty_prompt", `the prompt is empty; ${howTo}`);
  return prompt;
}

async function readFromElsewhere(file: string | undefined): Promise<string> {
  if (file !== undefined) return readFile(file);
  if (process.stdin.isTTY) throw new HarnessError("no_prompt", `there is no prompt; ${howTo}`);
  return (await readAll(process.stdin)).trim();
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const message = `cannot read the prompt file ${file}: ${messageOf(error)}`;
    throw new HarnessError("unreadable_file", message, { cause: error });
  }
}
