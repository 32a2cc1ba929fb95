import { describe, expect, it } from "vitest";
import { toFactLines } from "../../src/cli/facts.js";
import { toList } from "../../src/cli/sessions/list.js";
import { toBar, toSparkline } from "../../src/cli/stats/charts.js";
import { toTable } from "../../src/cli/table.js";
import { type Line, plainTextOf } from "../../src/outputs/text/line.js";
import { widthOf } from "../../src/outputs/text/width.js";
import type { Recording } from "../../src/runs/archive/recording.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { metaOf } from "../runs/archive/recordings.js";

const texts = (lines: readonly Line[]): string[] => lines.map(plainTextOf);

function recording(
  changes: Parameters<typeof metaOf>[0],
  outcome: Recording["outcome"] = "completed",
): Recording {
  const meta = metaOf(changes);
  return { id: meta.runId, outcome, meta, paths: recordingPaths("/sessions", meta.runId) };
}

const failure = { kind: "rate_limit" as const, message: "Slow down" };
const found = [
  recording({
    model: "claude-opus-4-5-20251101",
    costUsd: 0.5,
    prompt: "日本語のプロンプトを直してください。".repeat(4),
  }),
  recording(
    {
      agent: "codex",
      costUsd: 0.25,
      costSource: "estimated",
      outcome: { isSuccess: false, reason: "failed", failure },
    },
    "failed",
  ),
  recording({ isDemo: true, prompt: "Two\nlines \u001b[31m" }),
];

describe("a list of runs", () => {
  it.each([60, 80, 100, 120, 160, 300])("fits into %i columns", (columns) => {
    const lines = texts(toList(found, { columns, isTerminal: true }));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(columns, 79));
    expect(lines[2]).toContain("failed: rate_limit");
  });

  it("leaves out what matters least: at 80 columns the figures, then nothing", () => {
    const heads = [80, 110, 200].map((columns) =>
      texts(toList(found, { columns, isTerminal: true }))[0]?.split(/ +/),
    );
    expect(heads).toEqual([
      ["ID", "WHEN", "AGENT", "OUTCOME", "PROMPT"],
      ["ID", "WHEN", "AGENT", "MODEL", "OUTCOME", "COST", "PROMPT"],
      ["ID", "WHEN", "AGENT", "MODEL", "OUTCOME", "TOOK", "TOKENS", "COST", "PROMPT"],
    ]);
  });

  it("cuts prompts further if long names leave no room, so that no row is wider than the terminal", () => {
    const overflow = { kind: "context_overflow" as const, message: "Too long" };
    const outcome = { isSuccess: false, reason: "failed" as const, failure: overflow };
    const prompt = "Fix the failing test of the cart";
    const long = [recording({ agent: "opencode", prompt, outcome }, "failed"), ...found];
    const rows = texts(toList(long, { columns: 80, isTerminal: true }));
    expect(rows.filter((row) => widthOf(row) > 80)).toEqual([]);
    expect(rows[1]).toMatch(/ {2}opencode {2}failed: context_overflow {2}Fix.*…$/);
  });

  it("ends with totals on a terminal, and only there", () => {
    expect(texts(toList(found, { columns: 80, isTerminal: true })).at(-1)).toBe(
      "2 runs · 1 of 2 succeeded · ~$0.75 · 3 s · 1 demo run not counted",
    );
    const piped = texts(toList(found, { columns: Number.POSITIVE_INFINITY, isTerminal: false }));
    expect(piped).toHaveLength(4);
    expect(piped[3]).toMatch(/ \(demo\) Two lines$/);
    expect(piped[2]).toMatch(/ ~\$0\.25 /);
  });
});

describe("facts", () => {
  it("go on below themselves if they are too long, and leave out what is not known", () => {
    const lines = texts(
      toFactLines(
        [
          ["id", "1"],
          ["empty", undefined],
          ["words", "one two three four five six"],
        ],
        32,
      ),
    );
    expect(lines).toEqual(["  id     1", "  words  one two three four five", "         six"]);
  });
});

describe("small charts", () => {
  it("show the largest value whole, and a little as something", () => {
    expect(toSparkline([0, 1, 50, 100])).toBe("·▁▄█");
    expect(toSparkline([])).toBe("");
    expect([
      toBar(100, 100, 4),
      toBar(50, 100, 4),
      toBar(0.001, 100, 4),
      toBar(0, 100, 4),
      toBar(1, 0, 4),
    ]).toEqual(["████", "██", "▏", "", ""]);
  });
});

describe("a plain table", () => {
  it("is aligned by what a terminal shows", () => {
    expect(
      toTable(
        ["A", "B"],
        [
          ["日本", "x"],
          ["ab", "y"],
        ],
      ),
    ).toBe("A     B\n日本  x\nab    y\n");
  });
});
