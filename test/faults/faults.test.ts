import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptTables, readPage } from "./accept.js";
import { chunkings } from "./chunkings.js";
import { buildCommand, removeCommand } from "./command.js";
import { crowds } from "./crowds.js";
import { disks } from "./disks.js";
import { dyingAgents } from "./dying-agents.js";
import { exitCodes } from "./exit-codes.js";
import { type Fault, type Row, seed, tryFault } from "./fault.js";
import { killedHarness } from "./killed-harness.js";
import { lostGuards } from "./lost-guards.js";
import { loads, type Measured, measureMemory } from "./memory.js";
import { signalledCommand } from "./signalled-command.js";
import { toFaultTable, toMemoryTable } from "./table.js";
import { unwillingAgents } from "./unwilling-agents.js";

const faults: readonly Fault[] = [
  ...unwillingAgents,
  ...dyingAgents,
  ...chunkings,
  ...crowds,
  ...killedHarness,
  ...lostGuards,
  ...signalledCommand,
  ...disks,
  ...exitCodes,
];
const rows: Row[] = [];
const measured: Measured[] = [];
const patient = { timeout: 600_000 };

/** Real processes, processes looked for in /proc: the faults of the other systems are the same, their tools not. */
describe.runIf(process.platform === "linux")("faults", () => {
  beforeAll(buildCommand, 120_000);

  it.each(faults.map((fault) => [fault.name, fault] as const))("%s", patient, async (_name, fault) => {
    const row = await tryFault(fault);
    rows.push(row);
    expect(row.problems, `with HARNESS_FAULT_SEED=${seed}`).toEqual([]);
    expect(row).toMatchObject({ survived: row.tried, eventsLost: 0, processesLeft: 0 });
  });

  it.each(loads.map((load) => [load.name, load] as const))("memory: %s", patient, async (_name, load) => {
    const row = await measureMemory(load);
    measured.push(row);
    expect(row.exitCode).toBe(0);
    expect(row.printedMegabytes).toBeGreaterThanOrEqual(load.megabytes);
    expect(row.peakMegabytes).toBeLessThan(load.mostMegabytes);
  });

  afterAll(() => {
    removeCommand();
    const tables = `${toFaultTable(rows)}\n\n${toMemoryTable(measured)}`;
    console.log(`\n${tables}\n\nHARNESS_FAULT_SEED=${seed}${slowest(rows)}`);
    const isWhole = rows.length === faults.length && measured.length === loads.length;
    if (process.env["HARNESS_ACCEPT"] === "1" && isWhole) acceptTables(tables);
  });
});

it.skipIf(process.env["HARNESS_ACCEPT"] === "1")("the documentation tells of every fault and load", () => {
  const page = readPage();
  for (const { name } of [...faults, ...loads]) expect(page).toContain(`| ${name} `);
});

function slowest(all: readonly Row[]): string {
  const times = all.flatMap((row) => row.slowestMs ?? []);
  return `\nslowest look that found nobody left after harness was killed: ${Math.max(0, ...times)} ms`;
}
