import { afterAll, expect, it } from "vitest";
import { removeCommand } from "./command.js";
import { dyingAgents } from "./dying-agents.js";
import { type Fault, type Row, seed, tryFault } from "./fault.js";
import { killedHarness } from "./killed-harness.js";
import { toTable } from "./table.js";
import { unwillingAgents } from "./unwilling-agents.js";

const faults: readonly Fault[] = [...unwillingAgents, ...dyingAgents, ...killedHarness];
const rows: Row[] = [];

it.each(faults)("$name", { timeout: 300_000 }, async (fault) => {
  const row = await tryFault(fault);
  rows.push(row);
  expect(row.problems, `with HARNESS_FAULT_SEED=${seed}`).toEqual([]);
  expect(row).toMatchObject({ survived: row.tried, eventsLost: 0, processesLeft: 0 });
});

afterAll(() => {
  removeCommand();
  console.log(`\n${toTable(rows)}\nSeed ${seed}.`);
});
