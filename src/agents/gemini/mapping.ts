import type { Finished, Mapping, OpenCall, Sink } from "../contract.js";
import { createGeminiStream } from "../shared/gemini-stream/mapping.js";
import { geminiCause } from "./cause.js";
import { finishShell } from "./shell.js";
import { geminiSubagentTools, geminiTools } from "./tools.js";
import { geminiTokens } from "./usage.js";

/** Gemini CLI `--output-format stream-json` (recorded with 0.61.0). Reasoning is never in it. */
export function createGeminiMapping(): Mapping {
  return createGeminiStream({
    tools: geminiTools,
    subagentTools: geminiSubagentTools,
    tokensOf: geminiTokens,
    cause: geminiCause,
    endCall,
  });
}

function endCall(call: OpenCall, how: Finished, out: Sink): void {
  if (call.name === "run_shell_command") return finishShell(call, how, out);
  if (call.name === "activate_skill") locateSkill(call, how);
  out.finish(call, how);
}

/** Only the result says where the skill is: ``Resources loaded from `/repo/.gemini/skills/x` ``. */
function locateSkill(call: OpenCall, how: Finished): void {
  const folder =
    typeof how.output === "string" ? /Resources loaded from `([^`]+)`/.exec(how.output)?.[1] : undefined;
  if (folder === undefined) return;
  call.operations = call.operations?.map((operation) =>
    operation.type === "skill" ? { ...operation, path: `${folder}/SKILL.md` } : operation,
  );
}
