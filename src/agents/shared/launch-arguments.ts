import { HarnessError } from "../../errors.js";

/** The longest argument that Linux passes to a program: 128 KiB, including the terminating zero. */
export const longestArgument = 128 * 1024 - 1;

/** The prompt of an agent that takes it only as an argument. */
export function checkedPrompt(agentName: string, prompt: string, longest = longestArgument): string {
  const bytes = new TextEncoder().encode(prompt).length;
  if (bytes <= longest) return prompt;
  throw new HarnessError(
    "prompt_too_long",
    `${agentName} takes a prompt only as an argument of at most ${longest} bytes, and this prompt has ${bytes}; put its long part into a file and name that file in the prompt`,
  );
}

/** `--flag=value`. After `=` a value may begin with `-`. */
export function joinedOption(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${flag}=${value}`];
}
