import type { Mapping } from "../contract.js";
import type { Dialect } from "../shared/opencode-stream/dialect.js";
import { createOpencodeStream } from "../shared/opencode-stream/mapping.js";
import { opencodeSubagentTools } from "../shared/opencode-stream/subagents.js";
import { subagentsOfManager } from "./agent-manager.js";
import { kiloTools } from "./tools.js";

export const kiloDialect: Dialect = {
  tools: kiloTools,
  backgroundTools: { background_process: "processID" },
  subagentTools: { ...opencodeSubagentTools, agent_manager: subagentsOfManager },
};

/** Kilo Code `run --format json` (recorded with 7.7.9): OpenCode's stream with more tools. */
export function createKiloMapping(): Mapping {
  return createOpencodeStream(kiloDialect);
}
