import type { BatchAbout, CellRow } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import type { BatchSource } from "./batch-source.js";
import { describeCell } from "./cell-grid.js";

interface Worker {
  name: string;
  running: CellRow[];
  done: number;
  /** When its last cell began or ended. */
  lastAt: string;
}

const shownWorkers = 200;
const shownCells = 12;

/** The machines of a batch over a queue, and what each of them runs. */
export function Workers({ source, about }: { source: BatchSource; about: BatchAbout }) {
  const workers = toWorkers(source.cells.value.table.all());
  if (workers.length === 0) return null;
  return (
    <section>
      <h2>Workers</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroller" tabIndex={0} aria-label="Workers and their cells">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col">Running</th>
              <th scope="col">Done</th>
              <th scope="col">Cells under way</th>
            </tr>
          </thead>
          <tbody>
            {workers.slice(0, shownWorkers).map(({ name, running, done }) => (
              <tr key={name}>
                <th scope="row">{toVisibleLine(name, 60)}</th>
                <td>{formatCount(running.length)}</td>
                <td>{formatCount(done)}</td>
                <td>
                  <span class="worker-cells">
                    {running.slice(0, shownCells).map((cell) => (
                      <a
                        key={cell.id}
                        class={`square ${cell.sign}`}
                        href={toHash({ page: "batch", id: about.row.id, cell: cell.id })}
                        title={describeCell(cell, about)}
                      >
                        <span class="visually-hidden">{describeCell(cell, about)}</span>
                      </a>
                    ))}
                    {running.length > shownCells && <small>and {running.length - shownCells} more</small>}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** Those that run most come first. */
function toWorkers(cells: Iterable<CellRow>): Worker[] {
  const workers = new Map<string, Worker>();
  for (const cell of cells) {
    const { worker: name, sign, startedAt = "", endedAt = startedAt } = cell;
    if (name === undefined) continue;
    const worker = workers.get(name) ?? { name, running: [], done: 0, lastAt: "" };
    workers.set(name, worker);
    if (sign === "running") worker.running.push(cell);
    else if (sign === "passed" || sign === "failed" || sign === "error") worker.done += 1;
    if (endedAt > worker.lastAt) worker.lastAt = endedAt;
  }
  return [...workers.values()].sort(
    (a, b) => b.running.length - a.running.length || (a.name < b.name ? -1 : 1),
  );
}
