import * as v from "valibot";
import { defineAgent } from "../../../src/agents/define-agent.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import type { ResolveArm } from "../../../src/batch/batch.js";
import type { BatchPlan } from "../../../src/batch/model/plan.js";
import { FailureKind } from "../../../src/events/failure.js";
import { asNumber, asText } from "../../../src/text/fields.js";

/**
 * An agent whose prompt is a shell script. Its lines: `{"type":"done","cost":0.5}`, `{"type":"fail","kind":"rate_limit","message":"…"}`,
 * `{"type":"say","text":"…"}`, `{"type":"model","model":"…"}`, `{"type":"warn","text":"…"}`, `{"type":"step"}`.
 */
export const shellAgent: AgentDefinition = defineAgent({
  id: "shell",
  binaries: ["sh"],
  credentials: ["SHELL_AGENT_KEY"],
  capabilities: { model: true },
  isolation: { variables: { SHELL_AGENT_HOME: ".shell" }, credentials: [] },
  launch: (task) => ({ args: ["-c", task.prompt] }),
  createMapping: () => ({
    record(record, out) {
      const text = asText(record["text"]) ?? "";
      if (record["type"] === "say") out.emit({ type: "agent", message: text });
      else if (record["type"] === "warn") out.emit({ type: "warning", message: text });
      else if (record["type"] === "model") out.session({ model: asText(record["model"]) ?? "" });
      else if (record["type"] === "command")
        out.emit({ type: "command", command: text, isSuccess: record["ok"] === true });
      else if (record["type"] === "done") {
        out.run.terminal = "success";
        out.run.costUsd = asNumber(record["cost"]);
        out.run.usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7, scope: "run" };
        out.consume("done");
      } else if (record["type"] === "fail") {
        const kind = v.parse(FailureKind, record["kind"]);
        const retryAt = asText(record["retryAt"]);
        out.run.costUsd = asNumber(record["cost"]);
        out.run.failure = { message: `failed: ${kind}`, kind, retryAt, isReported: false };
        out.consume("fail");
      }
    },
  }),
});

/** Every arm is the shell agent, under whatever name the plan has for it. */
export const resolveShell: ResolveArm = (arm) => ({ agent: { ...shellAgent, id: arm.agent } });

export const succeeds = `echo '{"type":"done","cost":0.01}'`;
export const failsWith = (kind: string): string => `echo '{"type":"fail","kind":"${kind}"}'; exit 1`;

/** A plan of one task and one arm. */
export function planOf(changes: Partial<BatchPlan> = {}): BatchPlan {
  return {
    name: "test",
    tasks: [{ id: "task", prompt: succeeds }],
    arms: [{ agent: "shell" }],
    isolated: false,
    ...changes,
  };
}
