import { expect, it } from "vitest";
import { isFoundBy } from "../../page/src/runs/search-runs.js";
import type { RunRow } from "../../src/server/protocol.js";

function row(id: string, agent: string): RunRow {
  return {
    id,
    agent,
    prompt: "say hello",
    cwd: "/workspace",
    startedAt: "2026-11-15T19:13:02.000Z",
    outcome: "completed",
  };
}

const rows = [
  row("20261115-191302-k3pi9x", "claude"),
  row("20261115-191303-a1b2c3", "pi"),
  row("nightly-Pi-3", "codex"),
];

const found = (...words: string[]): string[] =>
  rows.filter((row) => isFoundBy(row, words)).map(({ id }) => id);

it("a search does not find letters that are in a generated id by chance", () => {
  expect(found("pi")).toEqual(["20261115-191303-a1b2c3", "nightly-Pi-3"]);
});

it("a search finds an id by its beginning and by its last part", () => {
  expect(found("20261115-191302")).toEqual(["20261115-191302-k3pi9x"]);
  expect(found("20261115-191303-a1b2c3")).toEqual(["20261115-191303-a1b2c3"]);
  expect(found("k3pi9x", "hello")).toEqual(["20261115-191302-k3pi9x"]);
  expect(found("191302")).toEqual([]);
});
