import * as v from "valibot";
import { defineAgent } from "../../../src/agents/define-agent.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import type { ResolveArm } from "../../../src/batch/batch.js";
import { FailureKind } from "../../../src/events/failure.js";
import { asNumber, asText } from "../../../src/text/fields.js";

/** An agent whose prompt is a shell script. Its lines: `{"type":"say","text":"…"}`, `{"type":"done","cost":0.5}`, `{"type":"fail","kind":"network"}`. */
export const fakeAgent: AgentDefinition = defineAgent({
  id: "fake",
  binaries: ["sh"],
  launch: (task) => ({ args: ["-c", task.prompt] }),
  createMapping: () => ({
    record(record, out) {
      if (record["type"] === "say") out.emit({ type: "agent", message: asText(record["text"]) ?? "" });
      else if (record["type"] === "done") {
        out.run.terminal = "success";
        out.run.costUsd = asNumber(record["cost"]);
        out.consume("done");
      } else if (record["type"] === "fail") {
        const kind = v.parse(FailureKind, record["kind"]);
        const retryAt = asText(record["retryAt"]);
        out.run.failure = { message: `failed: ${kind}`, kind, retryAt, isReported: false };
        out.consume("fail");
      }
    },
  }),
});

/** Every arm is the fake agent, under whatever name the plan has for it. */
export const resolveFake: ResolveArm = (arm) => ({ agent: { ...fakeAgent, id: arm.agent } });
