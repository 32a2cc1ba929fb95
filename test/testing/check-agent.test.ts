import { describe, expect, it } from "vitest";
import type { Mapping } from "../../src/agents/contract.js";
import { defineAgent } from "../../src/agents/define-agent.js";
import { agents } from "../../src/agents/registry.js";
import { type AgentCapture, checkAgent } from "../../src/testing/index.js";
import { captureNames, readCapture } from "../support/captures.js";

const lines = [
  '{"kind":"hello","session":"s"}',
  '{"kind":"edit","id":"1","file":"a.ts"}',
  '{"kind":"edited","id":"1"}',
  '{"kind":"bye","ok":true}',
];

function agentWith(record: Mapping["record"], flush?: Mapping["flush"]) {
  return defineAgent({
    id: "mine",
    launch: () => ({ args: [] }),
    createMapping: () => ({ record, ...(flush !== undefined && { flush }) }),
  });
}

const sound: Mapping["record"] = (record, out) => {
  if (record["kind"] === "hello") out.identify(String(record["session"]));
  if (record["kind"] === "edit" && typeof record["file"] === "string")
    out.open({
      callId: String(record["id"]),
      name: "edit",
      operations: [{ type: "write", path: record["file"] }],
    });
  const call = record["kind"] === "edited" ? out.call(String(record["id"])) : undefined;
  if (call !== undefined) out.finish(call, { isSuccess: true });
  if (record["kind"] !== "bye") return;
  out.run.terminal = record["ok"] ? "success" : "failure";
  out.consume("bye");
};

describe("checkAgent", () => {
  it("finds nothing wrong with a sound agent", () => {
    expect(checkAgent(agentWith(sound), { lines })).toEqual([]);
    expect(checkAgent(agentWith(sound), { captures: [{ lines, expect: "success" }] })).toEqual([]);
  });

  let runs = 0;
  const defects: [string, ReturnType<typeof agentWith>, RegExp][] = [
    [
      "throws",
      agentWith((record, out) => {
        if (record["kind"] === "edit") throw new Error("oops");
        sound(record, out);
      }),
      /the mapping threw an error: .*oops/,
    ],
    [
      "takes for granted what a record has",
      agentWith((record, out) => {
        if (record["kind"] === "hello") out.identify((record["session"] as string).trim());
        sound(record, out);
      }),
      /with damaged records: the mapping threw an error/,
    ],
    [
      "emits what is no event",
      agentWith((record, out) => {
        if (record["kind"] === "edit") out.emit({ type: "agent", message: 3 as unknown as string });
        sound(record, out);
      }),
      /an event "agent" is invalid: message/,
    ],
    [
      "ends calls that it did not open",
      agentWith((record, out) => {
        if (record["kind"] === "edit") out.emit({ type: "tool_end", callId: "x", name: "y" });
        sound(record, out);
      }),
      /the call x ends, but did not start/,
    ],
    [
      "repeats its plan",
      agentWith((record, out) => {
        out.emit({ type: "plan", entries: [{ content: " ", status: "pending" }] });
        sound(record, out);
      }),
      /a plan has an empty entry/,
    ],
    [
      "counts its runs",
      agentWith((record, out) => {
        runs += 1;
        out.emit({ type: "agent", message: `record ${runs}` });
        sound(record, out);
      }),
      /the same lines gave other events the second time/,
    ],
  ];
  it.each(defects)("an agent that %s", (_what, agent, words) => {
    expect(checkAgent(agent, { lines }).join("\n")).toMatch(words);
  });

  it("an agent whose runs share their state", () => {
    const agent = defineAgent({
      id: "mine",
      launch: () => ({ args: [] }),
      createMapping: (() => {
        let seen = 0;
        const mapping: Mapping = {
          record(record, out) {
            if (record["kind"] === "hello") seen = 0;
            seen += 1;
            out.emit({ type: "agent", message: `record ${seen}` });
            sound(record, out);
          },
        };
        return () => mapping;
      })(),
    });
    expect(checkAgent(agent, { lines }).join("\n")).toMatch(/two runs at once disturb each other/);
  });

  it("an outcome that is not the expected one, with the name of the capture", () => {
    const captures: AgentCapture[] = [
      { name: "good", lines },
      { name: "cut", lines: lines.slice(0, 2), expect: "success" },
    ];
    expect(checkAgent(agentWith(sound), { captures })).toEqual([
      expect.stringMatching(/^cut: the run must be a success, but is not: /),
    ]);
  });

  it("nothing to check is a problem too", () => {
    expect(checkAgent(agentWith(sound), {})).toEqual(["nothing was checked: give captures or lines"]);
  });

  it.each(agents.map(({ id }) => id))("finds nothing wrong with %s and its shortest captures", (id) => {
    const agent = agents.find((one) => one.id === id);
    const captures = captureNames(id)
      .map((scenario) => readCapture(id, scenario))
      .sort((one, other) => one.stdout.length - other.stdout.length)
      .slice(0, 6)
      .map(({ scenario, stdout, stderr, exit }) => {
        return { name: scenario, lines: stdout, stderr, exitCode: exit.exitCode };
      });
    if (agent === undefined || captures.length === 0) return;
    expect(checkAgent(agent, { captures })).toEqual([]);
  });
});
