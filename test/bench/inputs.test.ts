import { readFileSync } from "node:fs";
import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { capturedAgents, capturesOf } from "../../bench/inputs/captures.mjs";
import { commandsIn } from "../../bench/inputs/commands.mjs";
import { longestOrdinaryLine, longRun, playsOf } from "../../bench/inputs/long-run.mjs";
import { shellCalls } from "../../bench/inputs/shell-calls.mjs";
import { requireAgent } from "../../src/agents/registry.js";
import { translateRun } from "../support/translated-run.js";

describe.each(capturedAgents)("the long run of %s", (agent) => {
  const definition = requireAgent(agent);
  const { begin, plays, end } = playsOf(agent);
  const ordinary = capturesOf(agent)
    .map(({ lines }) => lines.filter((line) => line.length <= longestOrdinaryLine))
    .filter((lines) => lines.length > 0);

  it("is a run that succeeds", () => {
    const played = plays.flatMap((play, number) => linesIn(play(number, false)));
    const { result } = translateRun(definition, [...linesIn(begin), ...played, ...linesIn(end)]);
    expect(result.isSuccess).toBe(true);
  });

  it("gives the events of its captures", () => {
    const typesOf = (lines: string[]) => translateRun(definition, lines).events.map(({ type }) => type);
    const played = plays.map((play) => typesOf(linesIn(play(7, false))));
    expect(played).toEqual(ordinary.map(typesOf));
  });

  it("has other ids in every play", () => {
    const starts = [0, 1].flatMap((round) =>
      plays.flatMap((play, at) => {
        const { of } = translateRun(definition, linesIn(play(round * plays.length + at, false)));
        const ended = of("tool_end").map(({ callId }) => callId);
        const started = new Set(of("tool_start").map(({ callId }) => callId));
        expect(ended.filter((id) => !started.has(id))).toEqual([]);
        // A call without an id is named after its line.
        return [...started].filter((id) => !id.startsWith("line-"));
      }),
    );
    expect(new Set(starts).size).toBe(starts.length);
  });

  it("has a new command in about every second call, which the shell can read", () => {
    const rounds = [0, 1].map((round) =>
      plays.flatMap((play, at) => distinctCommands(play(round * plays.length + at, round === 1))),
    );
    const [before = [], after = []] = rounds;
    const known = new Set(before);
    const fresh = after.filter((command) => !known.has(command));
    expect(fresh.length / after.length).toBeGreaterThan(0.4);
    const captured = ordinary.flatMap((lines) => distinctCommands(lines.join("\n")));
    expect(after.filter(isShell).length).toBe(captured.filter(isShell).length);
  });
});

describe("the input of many commands", () => {
  it.each(["claude", "codex", "goose"])("has as many as asked for: %s", (agent) => {
    const [few, many] = [22, 300].map((distinct) => {
      const { file } = shellCalls(agent, 1.5, distinct);
      const text = readFileSync(file, "utf8");
      return { commands: new Set(distinctCommands(text)), lines: linesIn(text).length };
    });
    expect([few?.commands.size, many?.commands.size]).toEqual([22, 300]);
    expect((many?.lines ?? 0) / (few?.lines ?? 0)).toBeCloseTo(1, 2);
  });
});

describe("an input of a given size", () => {
  it("is that large, and every line of it is JSON", () => {
    const { file, bytes } = longRun("codex", 0.5);
    const text = readFileSync(file, "utf8");
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(bytes).toBeGreaterThanOrEqual(500_000);
    for (const line of linesIn(text)) expect(typeof JSON.parse(line)).toBe("object");
  });

  it("changes a path in all fields of a play to the same other path", () => {
    const play = playsOf("claude").plays.find((one) => one(0, false).includes("src_0/app_0.ts"));
    const text = play?.(7, false) ?? "";
    expect(text.includes("src_7/app_7.ts")).toBe(true);
    expect(/\b(src|app)\b/.exec(text)).toBe(null);
  });
});

function linesIn(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function distinctCommands(text: string): string[] {
  return [...new Set(linesIn(text).flatMap((line) => commandsIn(JSON.parse(line))))];
}

function isShell(command: string): boolean {
  return (parse(command).errors ?? []).length === 0;
}
