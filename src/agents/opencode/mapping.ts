import type { Mapping } from "../contract.js";
import { createOpencodeStream } from "../shared/opencode-stream/mapping.js";
import { opencodeSubagentTools } from "../shared/opencode-stream/subagents.js";
import { opencodeTools } from "../shared/opencode-stream/tools.js";

/** OpenCode `run --format json`: recorded with 1.18.33, and for OpenCode 2 from its source. */
export function createOpencodeMapping(): Mapping {
  return createOpencodeStream({ tools: opencodeTools, subagentTools: opencodeSubagentTools });
}
