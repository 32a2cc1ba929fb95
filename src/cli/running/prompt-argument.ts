import { findAgent } from "../../agents/registry.js";
import { quote } from "../quote.js";

/** Other ways to give a prompt. */
interface OtherPrompts {
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
}

/** The prompt as an argument of `harness <command>`. Words that were not quoted, an agent's name and a second prompt are refused. */
export function promptArgument(
  words: readonly string[],
  flags: OtherPrompts,
  command: "run" | "chat",
  refuse: (sentence: string) => never,
): string | undefined {
  const [prompt, ...others] = words;
  if (prompt === undefined) return undefined;
  if (findAgent(prompt) !== undefined) {
    const example = others.length === 0 ? '"Fix the test"' : quote(others.join(" "));
    refuse(`'${prompt}' is an agent, not a prompt: write harness ${command} ${example} --agent ${prompt}`);
  }
  if (others.length > 0)
    refuse(
      `unexpected argument '${others[0]}': quote a prompt of several words, as in harness ${command} ${quote(words.join(" "))}; arguments for the agent go after --`,
    );
  const other = otherPrompt(flags);
  if (other !== undefined) refuse(`there are two prompts, '${prompt}' and ${other}: leave one of them out`);
  return prompt;
}

function otherPrompt({ prompt, promptFile }: OtherPrompts): string | undefined {
  if (prompt !== undefined) return "that of --prompt";
  return promptFile === undefined ? undefined : "that of --prompt-file";
}

/** Only what comes after `--` is passed on to the agent. */
export function splitAtDashes(words: readonly string[]): { words: string[]; behindDashes: string[] } {
  const dashes = process.argv.indexOf("--");
  const before = words.length - (dashes === -1 ? 0 : process.argv.length - dashes - 1);
  return { words: words.slice(0, before), behindDashes: words.slice(before) };
}
