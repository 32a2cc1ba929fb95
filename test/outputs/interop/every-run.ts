import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import { agents } from "../../../src/agents/registry.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import type { Step } from "../../../src/events/step.js";
import { captureNames, readCapture, translateCapture } from "../../support/captures.js";
import { translateTranscript } from "../../support/live-conformance.js";
import { readTranscript, transcriptNames } from "../../support/transcripts.js";

/** One run of a real program, as every output gets it. */
export interface RealRun {
  /** For messages: `codex/edit`, `acp-goose/permission`. */
  name: string;
  agent: AgentDefinition;
  steps: readonly Step[];
  events: readonly HarnessEvent[];
}

/** Every capture of every agent, and every transcript of a live session. One at a time: together they are too many. */
export function* everyRun(): Generator<RealRun> {
  yield* everyCapture();
  yield* everyTranscript();
}

export function* everyCapture(): Generator<RealRun> {
  for (const agent of agents)
    for (const scenario of captureNames(agent.id))
      yield runOf(`${agent.id}/${scenario}`, agent, translateCapture(agent, readCapture(agent.id, scenario)));
}

const live = fileURLToPath(new URL("../../fixtures/live/", import.meta.url));

export function* everyTranscript(): Generator<RealRun> {
  for (const folder of readdirSync(live)) {
    // `rpc-pi-0.87.1` and `acp-codex-acp` are sessions of Pi and of Codex, as far as an agent of that name speaks the protocol.
    const agent = agents.find(
      (each) => folder === `${each.live?.id}-${each.id}` || folder.startsWith(`${each.live?.id}-${each.id}-`),
    );
    if (agent === undefined) continue;
    for (const scenario of transcriptNames(folder))
      yield runOf(
        `${folder}/${scenario}`,
        agent,
        translateTranscript(agent, readTranscript(folder, scenario)),
      );
  }
}

/** The beginning of a run whose rest is missing: neither `result` nor `exited` is there. */
export function cutInHalf({ name, agent, steps }: RealRun): RealRun {
  return runOf(`${name}, cut in half`, agent, steps.slice(0, Math.ceil(steps.length / 2)));
}

function runOf(name: string, agent: AgentDefinition, steps: readonly Step[]): RealRun {
  return { name, agent, steps, events: steps.flatMap((step) => step.events) };
}
