import { findAgent } from "../../agents/registry.js";
import { quote } from "../quote.js";
import type { RunFlags } from "./command.js";

/** The prompt as an argument. Words that were not quoted, an agent's name and a second prompt are refused. */
export function promptArgument(
  words: readonly string[],
  flags: Pick<RunFlags, "prompt" | "promptFile">,
  refuse: (sentence: string) => never,
): string | undefined {
  const [prompt, ...others] = words;
  if (prompt === undefined) return undefined;
  if (findAgent(prompt) !== undefined) {
    const example = others.length === 0 ? '"Fix the test"' : quote(others.join(" "));
    refuse(`'${prompt}' is an agent, not a prompt: write harness run ${example} --agent ${prompt}`);
  }
  if (others.length > 0)
    refuse(
      `unexpected argument '${others[0]}': quote a prompt of several words, as in harness run ${quote(words.join(" "))}; arguments for the agent go after --`,
    );
  const other = otherPrompt(flags);
  if (other !== undefined) refuse(`there are two prompts, '${prompt}' and ${other}: leave one of them out`);
  return prompt;
}

function otherPrompt({ prompt, promptFile }: Pick<RunFlags, "prompt" | "promptFile">): string | undefined {
  if (prompt !== undefined) return "that of --prompt";
  return promptFile === undefined ? undefined : "that of --prompt-file";
}
