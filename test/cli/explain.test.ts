import { describe, expect, it } from "vitest";
import { createExplanation } from "../../src/cli/translate/explain.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { eventsOf, type Given, timestamp } from "../outputs/support.js";

function explained(...steps: (readonly [RawRecord, ...Given[]])[]): string[] {
  const explanation = createExplanation();
  return explanation
    .push(steps.map(([record, ...given]) => ({ record, events: eventsOf(...given), rule: "sent" })))
    .join("")
    .split("\n");
}

describe("--explain of a live session", () => {
  it("accounts for both directions, and for every process", () => {
    const ended = { timestamp, stream: "process" as const, signal: null };
    expect(
      explained(
        [
          { timestamp, stream: "sent", line: '{"prompt":"Fix it"}', turnId: "t1" },
          { type: "turn", turnId: "t1", origin: "user", prompt: "Fix it\nsoon" },
        ],
        [
          { timestamp, stream: "received", line: '{"ask":1}' },
          { type: "request", requestId: "q", kind: "permission", name: "Bash", choices: ["allow", "deny"] },
        ],
        [
          { timestamp, stream: "sent", line: '{"allow":true}', by: "policy", rule: "command: npm test" },
          {
            type: "request_end",
            requestId: "q",
            outcome: "allowed",
            by: "policy",
            rule: "command: npm test",
          },
        ],
        [{ timestamp, stream: "sent", line: '{"deny":true}', by: "policy" }],
        [
          { ...ended, exitCode: 0 },
          { type: "turn_end", turnId: "t1", isSuccess: true, reason: "completed" },
        ],
        [{ ...ended, exitCode: null, signal: "SIGKILL" }],
        [{ ...ended, exitCode: null, startFailure: { kind: "not_installed", message: "pi is missing" } }],
      ),
    ).toEqual([
      '    1 [sent] {"prompt":"Fix it"}',
      "      → turn(Fix it)",
      '    2 [received] {"ask":1}',
      "      → request(permission: Bash)",
      '    3 [sent by rule command: npm test] {"allow":true}',
      "      → request_end(allowed by policy)",
      '    4 [sent by policy] {"deny":true}',
      "      · consumed: sent",
      "    5 [process] ended with exit code 0",
      "      → turn_end(completed)",
      "    6 [process] ended by SIGKILL",
      "      · consumed: sent",
      "    7 [process] did not start: pi is missing",
      "      · consumed: sent",
      "",
    ]);
  });
});
