import { say } from "../../../src/testing/index.js";
import type { RealScenario } from "../scenario.js";
import { usualUsage as usage } from "./usual-files.js";

const answered = {
  exitCode: 0,
  reason: "completed",
  text: "Understood.",
  operations: [],
  requests: 1,
} as const;

const script = { usage, turns: [[say("Understood.")]] };

/** Prompts that are hard to pass to a program unchanged. */
export const prompts: readonly RealScenario[] = [
  { name: "longprompt", prompt: longText(200_000), script, expected: answered },
  {
    name: "dashprompt",
    prompt: '--help is what I ask about, with "quotes" and $HOME',
    script,
    expected: answered,
  },
  { name: "wordprompt", prompt: "version", script, expected: answered },
  {
    name: "resume",
    resumes: "Remember the word tangerine.",
    prompt: "Which word was it?",
    script: { usage, turns: [[say("I will remember.")], [say("It was tangerine.")]] },
    expected: { ...answered, text: "It was tangerine." },
  },
];

/** Every line is different, so that no lost part can go unnoticed. */
function longText(size: number): string {
  let text = "Read all of this.";
  for (let number = 0; text.length < size; number += 1)
    text += `\nline ${number} of a long prompt, ünïcödé included`;
  return text;
}
