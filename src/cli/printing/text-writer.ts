import { homedir } from "node:os";
import type { AgentDefinition } from "../../agents/definition.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { createPlainWriter } from "../../outputs/text/plain-writer.js";
import { createTextView, type TextView } from "../../outputs/text/text-view.js";
import type { Reader, StepWriter } from "../step-writer.js";

/** `--format text` without a live row: each row when it is finished. */
export function createTextWriter(agent: AgentDefinition, reader: Reader): StepWriter {
  const hasColors = hasColorSupport({ env: process.env, isTerminal: reader.terminal !== undefined });
  const write = createPlainWriter(createAgentView(agent, reader), hasColors);
  return (step) => write(step.events);
}

/** The rows of one run, as wide as the terminal is; without one, as long as they are. */
export function createAgentView(agent: AgentDefinition, reader: Reader): TextView {
  const { terminal, recording, showsThinking, permissions } = reader;
  const columns = terminal === undefined ? Number.POSITIVE_INFINITY : terminal.columns || 80;
  return createTextView({
    columns,
    agentName: agent.name,
    home: homedir(),
    permissions,
    recording,
    showsThinking,
  });
}
