import { acpProtocol } from "../../shared/acp/protocol.js";
import { refuseInSession } from "../../shared/acp/unsupported-options.js";
import { wholeList } from "../../shared/todos.js";

/**
 * Any program that speaks ACP. What it does without asking is not known, so nothing is promised about it. It works in the mode in
 * which it starts.
 */
export const acpLive = acpProtocol({
  dialect: { todoTools: { todowrite: wholeList, todo_write: wholeList, TodoWrite: wholeList } },
  peer: { setsModel: true, canSetModel: true },
  abilities: {
    ask: true,
    questions: true,
    always: true,
    usage: "turn",
    cost: true,
    plan: true,
    resume: true,
  },
  unasked: ["read", "write", "command", "search", "list", "skill", "fetch", "mcp"],
  /** `harness run --agent acp -- PROGRAM ARGUMENTS…`: the whole command is given. */
  launch(task) {
    refuseInSession("An ACP agent", task, ["systemPrompt", "appendSystemPrompt", "maxTurns", "maxBudgetUsd"]);
    return { args: [...task.extraArgs] };
  },
});
