import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptTables, readPage } from "./accept.js";
import { bystanders } from "./bystanders.js";
import { chunkings } from "./chunkings.js";
import { buildCommand, removeCommand } from "./command.js";
import { containers } from "./containers.js";
import { crowds } from "./crowds.js";
import { deadTools } from "./dead-tools.js";
import { disks } from "./disks.js";
import { dyingAgents } from "./dying-agents.js";
import { exitCodes } from "./exit-codes.js";
import { type Fault, type Row, seed, tryFault } from "./fault.js";
import { floods } from "./floods.js";
import { killedHarness } from "./killed-harness.js";
import { lostGuards } from "./lost-guards.js";
import { loads, type Measured, measureMemory } from "./memory.js";
import { signalledCommand } from "./signalled-command.js";
import { toFaultTable, toMemoryTable } from "./table.js";
import { storms, unwillingAgents } from "./unwilling-agents.js";

/** These mostly wait, so they can run in parallel. */
const patientFaults: readonly Fault[] = unwillingAgents;
const otherFaults: readonly Fault[] = [
  ...storms,
  ...dyingAgents,
  ...chunkings,
  ...crowds,
  ...floods,
  ...killedHarness,
  ...lostGuards,
  ...deadTools,
  ...bystanders,
  ...containers,
  ...signalledCommand,
  ...disks,
  ...exitCodes,
];
const faults = [...patientFaults, ...otherFaults];
const rows = new Map<string, Row>();
const measured: Measured[] = [];
const timeout = 600_000;

/** Real processes, found through /proc. Other systems have the same faults, but not the same tools. */
describe.runIf(process.platform === "linux")("faults", () => {
  beforeAll(buildCommand, 120_000);

  // A second try: on a busy machine, a process that holds the output open survives in rare cases (docs/reliability.md, Limits).
  it.concurrent.each(byName(patientFaults))("%s", { timeout, retry: 1 }, prove);
  it.each(byName(otherFaults))("%s", { timeout }, prove);

  it.each(byName(loads))("memory: %s", { timeout }, async (_name, load) => {
    const row = await measureMemory(load);
    measured.push(row);
    expect(row.exitCode).toBe(0);
    expect(row.printedMegabytes).toBeGreaterThanOrEqual(load.megabytes);
    expect(row.peakMegabytes).toBeLessThan(load.mostMegabytes);
  });

  afterAll(() => {
    removeCommand();
    const inOrder = faults.flatMap(({ name }) => rows.get(name) ?? []);
    const tables = `${toFaultTable(inOrder)}\n\n${toMemoryTable(measured)}`;
    console.log(`\n${tables}\n\nHARNESS_FAULT_SEED=${seed}\n${slowest(inOrder)}`);
    const isWhole = inOrder.length === faults.length && measured.length === loads.length;
    if (process.env["HARNESS_ACCEPT"] === "1" && isWhole) acceptTables(tables);
  });
});

it.skipIf(process.env["HARNESS_ACCEPT"] === "1")("the documentation lists every fault and load", () => {
  const page = readPage();
  for (const { name } of [...faults, ...loads]) expect(page).toContain(`| ${name} `);
});

function byName<T extends { name: string }>(all: readonly T[]): [string, T][] {
  return all.map((one) => [one.name, one]);
}

async function prove(_name: string, fault: Fault): Promise<void> {
  const row = await tryFault(fault);
  rows.set(fault.name, row);
  expect(row.problems, `with HARNESS_FAULT_SEED=${seed}`).toEqual([]);
  expect(row).toMatchObject({ survived: row.tried, eventsLost: 0, processesLeft: 0 });
}

function slowest(all: readonly Row[]): string {
  const times = all.flatMap((row) => row.slowestMs ?? []);
  return `After harness was killed, nobody was left after ${Math.max(0, ...times)} ms at most.`;
}
