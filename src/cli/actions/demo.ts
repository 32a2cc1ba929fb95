import { requireAgent } from "../../agents/registry.js";
import { demoPrompt, demoRecording, player } from "../../demo/recordings.js";
import { createOutput } from "../output.js";
import { printRun } from "../run/print-run.js";
import type { PrintFormat } from "../step-writer.js";

export interface DemoFlags {
  agent: string;
  format: PrintFormat;
  thinking?: boolean;
  fast?: boolean;
  log: boolean;
}

const fastSpeed = 1000;

/**
 * Plays a recorded run as a real process, through the same supervisor, translator, recorder and renderer as any
 * run. It says on standard error that it is a recording, so that every format stays clean.
 */
export async function demoAction(flags: DemoFlags): Promise<number> {
  const agent = requireAgent(flags.agent);
  const recording = demoRecording(agent.id);
  process.stderr.write(
    `A recorded run of ${agent.name}, played back. No agent is running and no model is asked.\n\n`,
  );
  const speed = flags.fast ? fastSpeed : 1;
  const played = { ...agent, launch: () => ({ args: [player, recording, String(speed)] }) };
  const task = { agent: played, prompt: demoPrompt, binary: process.execPath, log: flags.log };
  return printRun(task, played, flags, createOutput(process.stdout));
}
