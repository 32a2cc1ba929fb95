import { asObject, asText, asTexts } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import type { OpenCall } from "../contract.js";
import { finishedOf } from "./call-result.js";

/*
 * What subagents do is not in the stream: only the calls that run them are, `Agent` for one and `AgentSwarm` for one per item
 * (2.1.0).
 */

export interface Subagent {
  subagentId?: string | undefined;
  subagentName?: string | undefined;
}

/** The subagents that a call starts. None if it is the call of another tool. */
export function subagentsOf(tool: string, input: JsonValue | undefined): Subagent[] {
  const fields = asObject(input) ?? {};
  const type = asText(fields["subagent_type"]);
  if (tool === "Agent") return [{ subagentName: type ?? asText(fields["description"]) }];
  if (tool !== "AgentSwarm") return [];
  const resumed = Object.keys(asObject(fields["resume_agent_ids"]) ?? {});
  const items = asTexts(fields["items"]);
  return [
    ...resumed.map((subagentId) => ({ subagentId })),
    ...items.map((item) => ({ subagentName: type ?? item })),
  ];
}

interface Ended {
  isSuccess: boolean | undefined;
  subagents: (Subagent & { isSuccess: boolean })[];
}

/** How the subagents of a call ended. One that runs in the background has only been started. */
export function endedSubagents({ name, input }: OpenCall, output: string): Ended {
  const started = subagentsOf(name, input);
  const { isSuccess } = finishedOf(name, output);
  if (isSuccess === false) return { isSuccess, subagents: started.map((one) => ({ ...one, isSuccess })) };
  const type = asText(asObject(input)?.["subagent_type"]);
  const subagents = name === "Agent" ? endOfOne(started, output) : endsOfSwarm(type, output);
  const outcomes = subagents.map((subagent) => subagent.isSuccess);
  return { isSuccess: outcomes.length === 0 ? undefined : outcomes.every(Boolean), subagents };
}

const one = /^agent_id: (\S+)\nactual_subagent_type: [^\n]*\nstatus: (completed|failed)$/m;

function endOfOne([started]: readonly Subagent[], output: string): Ended["subagents"] {
  const [, subagentId, status] = one.exec(output) ?? [];
  return status === undefined
    ? []
    : [{ subagentId, subagentName: started?.subagentName, isSuccess: status === "completed" }];
}

/** `<subagent agent_id="agent-0" item="left" outcome="completed">`. What a subagent said follows, so only lines that begin so count. */
const oneOfSwarm = /^<subagent agent_id="([^"\n]+)"(?: [a-z_]+="[^"\n]*")*? outcome="(\w+)"/gm;

function endsOfSwarm(type: string | undefined, output: string): Ended["subagents"] {
  if (!output.startsWith("<agent_swarm_result>")) return [];
  return [...output.matchAll(oneOfSwarm)].map(([tag, subagentId, outcome]) => ({
    subagentId,
    subagentName: type ?? / item="([^"\n]*)"/.exec(tag)?.[1],
    isSuccess: outcome === "completed",
  }));
}
