/** What `harness help TOPIC` explains, besides the commands. */
export const topics = {
  events: "the events of a run",
  formats: "how a run is printed",
  outcomes: "when a run counts as failed, and exit codes",
  configuration: "harness.toml and your own file",
  permissions: "rules for what an agent may do",
  security: "what a project's file may do, and what is trusted",
  agents: "which agents there are, and your own",
} as const;

export type TopicName = keyof typeof topics;

export function isTopic(word: string): word is TopicName {
  return Object.hasOwn(topics, word);
}

/** The list of topics in the help of the program. */
export function topicList(): string {
  const rows = Object.entries(topics).map(([name, about]) => `  ${name.padEnd(15)}${about}`);
  return `\nTopics (harness help TOPIC):\n${rows.join("\n")}`;
}
