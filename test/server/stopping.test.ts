import { describe, expect, it } from "vitest";
import { run } from "../../src/live/run.js";
import type { RunRow } from "../../src/server/protocol.js";
import { program } from "../runs/test-agent.js";
import { messages, startTestServer } from "./support.js";

describe("a run that is being stopped", () => {
  it("says so in the list, and why, whoever stops it", async () => {
    const server = await startTestServer();
    const started = run({
      agent: "generic",
      prompt: "x",
      binary: program("ignore-term"),
      sessionsDirectory: server.directory,
      timeoutMs: 500,
    });
    const all = await messages(server, "/api/live", ({ data }) => {
      const { runs = [], changed = runs } = data as { runs?: RunRow[]; changed?: RunRow[] };
      return changed.some(({ stopping }) => stopping === "timed_out");
    });
    expect(all.length).toBeGreaterThan(0);
    await started.result;
    const [row] = JSON.parse((await server.get("/api/runs")).text).runs;
    expect(row).toMatchObject({ outcome: "timed_out" });
    expect(row).not.toHaveProperty("stopping");
  });
});
