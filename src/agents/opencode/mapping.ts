import type { Mapping } from "../contract.js";
import type { Dialect } from "../shared/opencode-stream/dialect.js";
import { createOpencodeStream } from "../shared/opencode-stream/mapping.js";
import { opencodeSubagentTools } from "../shared/opencode-stream/subagents.js";
import { opencodeTools } from "../shared/opencode-stream/tools.js";

export const opencodeDialect: Dialect = { tools: opencodeTools, subagentTools: opencodeSubagentTools };

/** OpenCode `run --format json`: recorded with 1.18.33, and for OpenCode 2 from its source. */
export function createOpencodeMapping(): Mapping {
  return createOpencodeStream(opencodeDialect);
}
