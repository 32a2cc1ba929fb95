import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkings } from "./chunkings.js";
import { compileCommand, removeCommand } from "./command.js";
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
  beforeAll(() => void compileCommand(), 120_000);

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
    console.log(`\n${toFaultTable(rows)}\n\n${toMemoryTable(measured)}\n\nHARNESS_FAULT_SEED=${seed}`);
  });
});
