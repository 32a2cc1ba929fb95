import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { AcpDialect, AcpFacts } from "./dialect.js";
import { factsOf } from "./known-agents.js";

/** The agent at the other end, as far as its handshake says. */
export interface AcpAgent {
  readonly facts: AcpFacts;
  readonly version: string | undefined;
  /** The answer to `initialize`. */
  introduce(answer: JsonObject): void;
  /** The fields with a subagent's name, if the tool starts one. */
  subagentKeys(tool: string): readonly string[] | undefined;
}

export function createAcpAgent({ facts }: AcpDialect): AcpAgent {
  const agent = {
    facts: facts ?? factsOf(""),
    version: undefined as string | undefined,
    introduce(answer: JsonObject): void {
      const info = asObject(answer["agentInfo"]);
      agent.version = asText(info?.["version"]);
      agent.facts = facts ?? factsOf(asText(info?.["name"]) ?? "");
    },
    subagentKeys(tool: string): readonly string[] | undefined {
      const { subagentTools = {} } = agent.facts;
      return Object.hasOwn(subagentTools, tool) ? subagentTools[tool] : undefined;
    },
  };
  return agent;
}
