import { expect, it } from "vitest";
import type { RunRow, RunsChange } from "../../src/server/protocol.js";
import { streamList } from "../../src/server/stream-list.js";

const row = (id: string, commands: number): RunRow => ({
  ...{ id, commands, agent: "claude", prompt: "", cwd: "/", startedAt: "2026-01-01T00:00:00.000Z" },
  outcome: "running",
});

it("has one message waiting for a reader that does not read, with what each run was last", async () => {
  const controller = new AbortController();
  const sent: [string, unknown][] = [];
  const readers: (() => void)[] = [];
  let emit: (change: RunsChange) => void = () => undefined;
  const ended = streamList(
    {
      signal: controller.signal,
      write: async () => undefined,
      async send(event, data) {
        sent.push([event, data]);
        await new Promise<void>((resolve) => readers.push(resolve));
      },
    },
    {
      list: () => ({
        runs: [],
        total: 0,
        unreadable: [],
        directory: "",
        ofBatches: 0,
        outcomes: {},
        agents: [],
      }),
      async *rest() {},
      watch(listener) {
        emit = listener;
        return () => undefined;
      },
    },
  );
  const read = async () => {
    readers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await read();
  expect(sent.map(([event]) => event)).toEqual(["list"]);
  for (let commands = 0; commands < 1000; commands += 1) emit({ changed: [row("a", commands)], removed: [] });
  emit({ changed: [row("b", 1), row("c", 1)], removed: [], unreadable: [] });
  emit({ changed: [], removed: ["b", "c"] });
  emit({ changed: [row("c", 2)], removed: [] });
  await read();
  await read();
  expect(sent.slice(1)).toEqual([
    ["change", { changed: [row("a", 999), row("c", 2)], removed: ["b"], unreadable: [] }],
  ]);
  emit({ changed: [row("a", 1000)], removed: [] });
  await read();
  expect(sent.slice(2)).toEqual([["change", { changed: [row("a", 1000)], removed: [] }]]);
  controller.abort();
  await ended;
});
