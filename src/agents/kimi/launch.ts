import { HarnessError } from "../../errors.js";
import type { Launch, LaunchTask } from "../definition.js";
import { longestArgument } from "../shared/launch-arguments.js";

/**
 * `kimi --prompt=…`. After `=` a prompt may begin with `-`. Kimi takes a prompt only as an argument: it reads neither
 * standard input nor a file. A run with a prompt needs no permission for anything.
 */
export function launchKimi(task: LaunchTask): Launch {
  const prompt = `--prompt=${task.prompt}`;
  if (new TextEncoder().encode(prompt).length > longestArgument) {
    throw new HarnessError(
      "prompt_too_long",
      "the prompt is too long for Kimi, which takes it only as an argument of at most 128 KiB; write it to a file and ask Kimi to read that file",
    );
  }
  const { model, resume } = task;
  return {
    args: [
      "--output-format",
      "stream-json",
      ...(model === undefined ? [] : ["--model", model]),
      ...(resume === undefined ? [] : [`--session=${resume}`]),
      ...task.extraArgs,
      prompt,
    ],
    ...(resume !== undefined && { sessionId: resume }),
  };
}
