import { asArray, asObject, firstText } from "../../translator/fields.js";
import type { FinishedCall, Subagent } from "../shared/opencode-stream/dialect.js";

/**
 * `agent_manager`: asks the editor for sessions of their own, which it starts later and which go on by
 * themselves. They have no id yet, so they are known by name. Its other actions (list, prompt, stop, move) start nothing.
 */
export function subagentsOfManager({ input }: FinishedCall): Subagent[] {
  return (asArray(input["tasks"]) ?? []).flatMap((task) => {
    const name = firstText(asObject(task) ?? {}, ["name", "branchName"]);
    return name === undefined ? [] : [{ name, isInBackground: true }];
  });
}
