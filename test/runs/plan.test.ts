import { afterEach, describe, expect, it, vi } from "vitest";
import { planRun } from "../../src/runs/plan.js";

const task = { agent: "claude", prompt: "Fix it" } as const;

describe("the environment of a run", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("leads to the repository of a git hook, but not in the workspace of a batch", () => {
    vi.stubEnv("GIT_DIR", "/repository/.git");
    vi.stubEnv("GIT_INDEX_FILE", "/repository/.git/index");
    vi.stubEnv("GIT_CONFIG_COUNT", "0");
    expect(planRun(task).env).toMatchObject({ GIT_DIR: "/repository/.git" });
    const inBatch = planRun({ ...task, batch: { id: "b", cell: "c" } }).env;
    expect(Object.keys(inBatch).filter((name) => name.startsWith("GIT_"))).toEqual(["GIT_CONFIG_COUNT"]);
  });
});
