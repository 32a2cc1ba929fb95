import type { Figures } from "../../../src/batch/report/schema.js";
import { describeCost, formatInterval, formatKinds, formatShare } from "../../../src/batch/report/words.js";
import type { BatchAbout, ReportMessage } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatShortCount } from "../../../src/text/numbers.js";

/** The arms side by side: what came out of each, with how certain that is. */
export function Arms({ report, about }: { report: ReportMessage; about: BatchAbout }) {
  const optionsOf = new Map(about.arms.map(({ id, options }) => [id, options]));
  return (
    <section>
      <h2>Arms</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroller" tabIndex={0} aria-label="Figures of the arms">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Arm</th>
              <th scope="col">Passed</th>
              <th scope="col" class="interval-column">
                <span title="Wilson’s 95 % interval of the pass rate">Pass rate</span>
              </th>
              <th scope="col">Cost</th>
              <th scope="col">Duration</th>
              <th scope="col">Tokens</th>
              <th scope="col">Why not passed</th>
            </tr>
          </thead>
          <tbody>
            {report.arms.map(({ armId, agent, model, figures }) => (
              <tr key={armId}>
                <th scope="row">
                  {toVisibleLine(armId, 60)}
                  <small title={(optionsOf.get(armId) ?? []).join("\n")}>
                    {" "}
                    {[agent, model, ...(optionsOf.get(armId) ?? [])]
                      .flatMap((part) =>
                        part === undefined || armId.includes(part) ? [] : toVisibleLine(part, 40),
                      )
                      .join(" · ")}
                  </small>
                </th>
                <td>
                  {formatCount(figures.passed)} of {formatCount(figures.passed + figures.failed)}
                  {figures.errors > 0 && <small> + {formatNumberOf(figures.errors, "error")}</small>}
                </td>
                <td class="interval-column">
                  <Interval figures={figures} />
                </td>
                <td title="The median of a run">
                  {figures.costUsd === undefined ? "–" : describeCost(figures.costUsd)}
                </td>
                <td title={spreadOf(figures)}>
                  {figures.durationMs === undefined ? "–" : formatDuration(figures.durationMs.median)}
                </td>
                <td title="The median of a run">
                  {figures.tokens === undefined ? "–" : formatShortCount(Math.round(figures.tokens.median))}
                </td>
                <td class="why-not">{toVisibleLine(formatKinds(figures.failures), 120) || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** The rate as a dot on its interval. The words beside it say the same. */
function Interval({ figures: { passRate } }: { figures: Figures }) {
  if (passRate === undefined) return <span class="dim">no results yet</span>;
  const { rate, low, high } = passRate;
  return (
    <span class="interval">
      <span class="interval-bar" aria-hidden="true">
        <span class="range" style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
        <span class="dot" style={{ left: `${rate * 100}%` }} />
      </span>
      <span>
        <b>{formatShare(rate)}</b> <small>{formatInterval(passRate)}</small>
      </span>
    </span>
  );
}

function spreadOf({ durationMs }: Figures): string {
  if (durationMs === undefined) return "Not known";
  const [low, high] = [durationMs.lowerQuartile, durationMs.upperQuartile].map(formatDuration);
  return `The median of a run; the middle half took ${low} to ${high}`;
}

/** The differences in words, and what else may be behind them. */
export function Findings({ report: { comparisons, confounds, notes } }: { report: ReportMessage }) {
  const sentences = comparisons.flatMap((comparison) => comparison.sentences);
  if (sentences.length === 0 && confounds.length === 0) return null;
  return (
    <section class="findings">
      {sentences.length > 0 && (
        <div>
          <h2>Differences</h2>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{toVisibleLine(sentence, 400)}</li>
            ))}
          </ul>
        </div>
      )}
      {confounds.length > 0 && (
        <div>
          <h2>What else differs</h2>
          <ul>
            {confounds.map(({ kind, sentence }) => (
              <li key={`${kind} ${sentence}`}>{toVisibleLine(sentence, 400)}</li>
            ))}
          </ul>
        </div>
      )}
      {notes.length > 0 && (
        <details>
          <summary>How to read the figures</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{toVisibleLine(note, 400)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
