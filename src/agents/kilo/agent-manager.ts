import { asArray, asObject, firstText } from "../../text/fields.js";
import type { FinishedCall, Subagent } from "../shared/opencode-stream/dialect.js";

/**
 * `agent_manager`: asks the editor for sessions, which start later and run independently. They have no id yet, so they are
 * identified by name. The other actions (list, prompt, stop, move) start nothing, and neither does a refused
 * request (`count` 0).
 */
export function subagentsOfManager({ input, metadata }: FinishedCall): Subagent[] {
  if (metadata["count"] === 0) return [];
  return (asArray(input["tasks"]) ?? []).flatMap((task) => {
    const name = firstText(asObject(task) ?? {}, ["name", "branchName"]);
    return name === undefined ? [] : [{ name, isInBackground: true }];
  });
}
