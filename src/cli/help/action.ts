import type { Command } from "commander";
import { HarnessError } from "../../errors.js";
import { didYouMean } from "../../text/suggest.js";
import { isTopic, topics } from "../help-topics.js";
import { createOutput } from "../output.js";
import { fitText } from "./fit-text.js";
import { topicTexts } from "./topic-texts.js";

/** Prints the help of the program, of a command (`help sessions list`), or on a topic. */
export async function helpAction(words: readonly string[], program: Command): Promise<number> {
  const [topic] = words;
  if (topic !== undefined && words.length === 1 && isTopic(topic)) {
    const { columns = Number.POSITIVE_INFINITY } = process.stdout;
    await createOutput(process.stdout).print(fitText(topicTexts[topic], columns));
    return 0;
  }
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) throw unknownTopic(word, command);
    command = next;
  }
  command.outputHelp();
  return 0;
}

function unknownTopic(word: string, command: Command): HarnessError {
  const known = [...command.commands.map((candidate) => candidate.name()), ...Object.keys(topics)];
  return new HarnessError(
    "unknown_topic",
    `there is no help on "${word}"${didYouMean(word, known)}; try: harness help`,
  );
}
