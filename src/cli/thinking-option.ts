import { type Command, Option } from "commander";

/** `--thinking`, which only rows for people leave out otherwise: it asks for them. */
export function thinkingOption(): Option {
  const description = "show what the model thinks, in --format text";
  return new Option("--thinking", description).implies({ format: "text" });
}

/** Another format that was asked for as well would be printed as ever, and the wish be lost. */
export function refuseIdleThinking(command: Command): void {
  const { thinking, format } = command.opts<{ thinking?: boolean; format: string }>();
  if (!thinking || format === "text") return;
  command.error(
    `error: --thinking is for --format text, not ${format}; leave one of them out (full and run-events have all thinking)`,
  );
}
