import { findAgent, requireAgent } from "../../agents/registry.js";
import type { OutputName } from "../../outputs/registry.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { note } from "../complain.js";
import { createOutput } from "../output.js";
import { printRun } from "../run/print-run.js";
import { demoPrompt, demoRecording, player } from "./recordings.js";

export interface DemoFlags {
  agent: string;
  format: OutputName;
  thinking?: boolean;
  fast?: boolean;
  log: boolean;
}

const fastSpeed = 1000;

/** For whoever has just watched, what to try. */
const nextSteps = `
Next:
harness sessions export last -o run.html
harness view
harness list
`;

/**
 * Plays a recorded run as a real process, through the same supervisor, translator, recorder and renderer as any
 * run. It says on standard error that it is a recording, so that every format stays clean.
 */
export async function demoAction(flags: DemoFlags): Promise<number> {
  const recording = demoRecording(findAgent(flags.agent)?.id ?? flags.agent);
  const agent = requireAgent(flags.agent);
  note(introduce(agent.name));
  const speed = flags.fast ? fastSpeed : 1;
  const played = { ...agent, launch: () => ({ args: [player, recording, String(speed)] }) };
  const task = { agent: played, prompt: demoPrompt, binary: process.execPath, log: flags.log };
  const exitCode = await printRun(task, played, flags, createOutput(process.stdout));
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
