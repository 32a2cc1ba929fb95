import { findAgent, requireAgent } from "../../agents/registry.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { note } from "../complain.js";
import { createOutput } from "../output.js";
import { printRun } from "../running/print-run.js";
import type { DemoFlags } from "./command.js";
import { demoPrompt, demoRecording, player } from "./recordings.js";

const fastSpeed = 1000;

/** What to try after watching it. */
const nextSteps = `
Next:
harness sessions export last -o run.html
harness view
harness list
`;

/**
 * Plays a recorded run as a real process, through everything that a run goes through. Standard error says that it is a recording, so that standard output has nothing but the format.
 */
export async function demoAction(flags: DemoFlags): Promise<number> {
  const recording = demoRecording(findAgent(flags.agent)?.id ?? flags.agent);
  const agent = requireAgent(flags.agent);
  note(introduce(agent.name));
  const speed = flags.fast ? fastSpeed : 1;
  const played = { ...agent, launch: () => ({ args: [player, recording, String(speed)] }) };
  const task = {
    agent: played,
    prompt: demoPrompt,
    binary: process.execPath,
    log: flags.log,
    isDemo: true,
    // Nothing is changed here: the recording says what was changed where it was made.
    changes: false,
  };
  const printing = { ...flags, quiet: undefined, outputFile: undefined };
  const exitCode = await printRun(task, played, printing, createOutput(process.stdout));
  if (process.stdout.isTTY && flags.format === "text") note(flags.log ? nextSteps : "");
  return exitCode;
}

function introduce(name: string): string {
  const columns = process.stderr.isTTY ? process.stderr.columns : Number.POSITIVE_INFINITY;
  const sentences = [
    `A recorded run of ${name}, played back: no agent runs, no model is asked.`,
    `The task was: ${demoPrompt}`,
  ];
  return `${sentences.flatMap((sentence) => wrapText(sentence, columns)).join("\n")}\n\n`;
}
