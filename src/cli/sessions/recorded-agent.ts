import type { AgentDefinition } from "../../agents/definition.js";
import { declareAgent, ownAgentNames } from "../../config/configured-agents.js";
import type { OutputName } from "../../outputs/registry.js";
import { standInOf } from "../../runs/archive/as-recorded.js";
import type { Recording } from "../../runs/archive/recordings.js";
import { findRecordedAgent } from "../../runs/archive/replay.js";
import { cleanLine } from "../../text/cut.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";

/** How a recording is read. `asRecorded`: the agent's definition is not available, and `agent` is a stand-in. */
export interface RecordingReader {
  agent: AgentDefinition;
  asRecorded: boolean;
}

/**
 * The agent of a recording: a built-in one, a configured one that uses the translator of a built-in one, or else a
 * stand-in. Reading a recording never runs code of the current directory: no module is loaded for it.
 */
export function readerOf(recording: Recording): RecordingReader {
  const agent = findRecordedAgent(recording) ?? findConfigured(recording);
  return agent === undefined
    ? { agent: standInOf(recording), asRecorded: true }
    : { agent, asRecorded: false };
}

/** The same, with a warning if something is missing in these outputs. What the agent printed is there without its definition. */
export function readerFor(recording: Recording, formats: readonly OutputName[]): RecordingReader {
  const reader = readerOf(recording);
  if (reader.asRecorded && formats.some((format) => format !== "raw"))
    complain(`warning: ${whatIsMissing(recording)}`);
  return reader;
}

function findConfigured({ meta }: Recording): AgentDefinition | undefined {
  const config = readConfiguration();
  if (!ownAgentNames(config).includes(meta.agent)) return undefined;
  const { agent, module } = declareAgent(meta.agent, config);
  return module === undefined ? agent : undefined;
}

function whatIsMissing({ id, meta, paths }: Recording): string {
  const name = cleanLine(meta.agent);
  return `${id} is a run of the agent "${name}", whose definition is not loaded to read a recording; thinking and tool calls are missing here. To see all of it, run this where ${name} is defined: harness translate --agent ${name} ${paths.raw}`;
}
