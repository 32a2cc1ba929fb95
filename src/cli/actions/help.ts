import type { Command } from "commander";
import { HarnessError } from "../../errors.js";
import { didYouMean } from "../../suggest.js";
import { topics } from "../help/topics.js";
import { createOutput } from "../output.js";

/** Help for the program, a command (`help sessions list`), or a topic. */
export async function helpAction(words: readonly string[], program: Command): Promise<number> {
  const output = createOutput(process.stdout);
  const [topic] = words;
  if (topic !== undefined && words.length === 1 && Object.hasOwn(topics, topic)) {
    await output.write(topics[topic]?.text ?? "");
    return 0;
  }
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) throw unknownTopic(word, command);
    command = next;
  }
  await output.write(command.helpInformation() + (command === program ? topicList() : ""));
  return 0;
}

function topicList(): string {
  const rows = Object.entries(topics).map(([name, { about }]) => `  ${name.padEnd(15)}${about}\n`);
  return `\nTopics (harness help TOPIC):\n${rows.join("")}`;
}

function unknownTopic(word: string, command: Command): HarnessError {
  const known = [...command.commands.map((candidate) => candidate.name()), ...Object.keys(topics)];
  return new HarnessError(
    "unknown_topic",
    `there is no help on "${word}"${didYouMean(word, known)}; try: harness help`,
  );
}
