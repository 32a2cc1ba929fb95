import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { createRunClock } from "../../src/runs/run-clock.js";
import { harness, jsonLines, program, temporaryDirectory } from "../cli/harness.js";

const noon = Date.UTC(2026, 10, 15, 12);
const hour = 3_600_000;

/** Clocks that are moved by hand. */
function fakeClocks() {
  const state = { wall: noon, monotonic: 5000.25, uptime: 9 };
  return {
    state,
    clocks: { wall: () => state.wall, monotonic: () => state.monotonic, uptime: () => state.uptime },
    pass(milliseconds: number) {
      state.wall += milliseconds;
      state.monotonic += milliseconds;
      state.uptime += milliseconds / 1000;
    },
    sleep(milliseconds: number) {
      state.wall += milliseconds;
      state.uptime += milliseconds / 1000;
    },
  };
}

const at = (milliseconds: number): string => new Date(noon + milliseconds).toISOString();

describe("the clock of a run", () => {
  it("starts with the time of day", () => {
    const { clocks, pass } = fakeClocks();
    const now = createRunClock(clocks);
    expect(now()).toBe(at(0));
    pass(1500);
    expect(now()).toBe(at(1500));
  });

  it.each([-hour, hour, -5, 900])("goes on as before when the time of day is set by %d ms", (shift) => {
    const { clocks, state, pass } = fakeClocks();
    const now = createRunClock(clocks);
    pass(1000);
    state.wall += shift;
    expect(now()).toBe(at(1000));
    pass(2000);
    expect(now()).toBe(at(3000));
    state.wall -= 2 * shift;
    pass(1);
    expect(now()).toBe(at(3001));
  });

  it("follows the time of day when the machine has slept, as often as it does", () => {
    const { clocks, pass, sleep, state } = fakeClocks();
    const now = createRunClock(clocks);
    pass(1000);
    sleep(8 * hour);
    expect(now()).toBe(at(8 * hour + 1000));
    state.wall += hour;
    pass(10);
    expect(now()).toBe(at(8 * hour + 1010));
    sleep(2 * hour);
    expect(now()).toBe(at(10 * hour + 1010));
  });
});

/** Once the file is there, the time of day is another one. */
const preload = pathToFileURL(fileURLToPath(new URL("shifted-date.mjs", import.meta.url))).href;

describe("a clock that is set while a run goes on", () => {
  it.each([
    ["back by an hour", -hour],
    ["forward by a day", 24 * hour],
  ])("%s: no end before its start, and durations stay true", async (_how, shift) => {
    const home = temporaryDirectory();
    const mark = join(home, "mark");
    const agent = program(`
      const { writeFileSync } = require("node:fs");
      const print = (record) => process.stdout.write(JSON.stringify(record) + "\\n");
      print({ type: "system", subtype: "init", session_id: "s" });
      setTimeout(() => {
        writeFileSync(${JSON.stringify(mark)}, "");
        print({ type: "assistant", message: { id: "m", content: [{ type: "text", text: "Done." }] } });
        setTimeout(() => print({ type: "result", subtype: "success", is_error: false, result: "Done." }), 200);
      }, 200);
    `);
    const { stdout, exitCode, stderr } = await harness(
      ["run", "-a", "claude", "--binary", agent, "-p", "x", "-f", "full"],
      {
        env: {
          XDG_DATA_HOME: home,
          NODE_OPTIONS: `--import=${preload}`,
          TEST_CLOCK_MARK: mark,
          TEST_CLOCK_SHIFT: String(shift),
        },
      },
    );
    expect(exitCode, stderr).toBe(0);
    expect(existsSync(mark)).toBe(true);
    const events = jsonLines(stdout);
    const times = events.map(({ timestamp }) => Date.parse(String(timestamp)));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const duration = Number(events.find(({ type }) => type === "result")?.["durationMs"]);
    expect(duration).toBeGreaterThanOrEqual(300);
    expect(duration).toBeLessThan(hour / 2);

    const paths = recordingPaths(join(home, "harness", "sessions"), String(events[0]?.["runId"]));
    const meta = JSON.parse(readFileSync(paths.meta, "utf8"));
    expect(Date.parse(meta.endedAt)).toBeGreaterThanOrEqual(times.at(-1) ?? Number.NaN);
    expect(Date.parse(meta.endedAt) - Date.parse(meta.startedAt)).toBeLessThan(hour / 2);
    const recorded = jsonLines(readFileSync(paths.raw)).map(({ timestamp }) => String(timestamp));
    expect(recorded).toEqual([...recorded].sort());
  });
});
