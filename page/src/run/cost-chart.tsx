import { createTimeAxis } from "../../../src/outputs/html/charts/time-axis.js";
import type { UsageStep } from "../../../src/story/timeline/items.js";
import { formatDuration, formatUsd } from "../../../src/text/numbers.js";

const height = 80;
const width = 400;

/** The cost so far, over time. */
export function CostChart({ steps, duration }: { steps: readonly UsageStep[]; duration: number }) {
  const { duration: whole } = createTimeAxis(duration);
  let sum = 0;
  const points = steps.map(({ time, usage }) => {
    sum += usage.costUsd ?? 0;
    return { time, sum };
  });
  const x = (time: number): number => (time / whole) * width;
  const y = (cost: number): number => height - (sum === 0 ? 0 : (cost / sum) * (height - 6));
  const path = points.reduce(
    (text, point) => `${text} H${x(point.time).toFixed(1)} V${y(point.sum).toFixed(1)}`,
    `M0 ${height}`,
  );
  return (
    <svg
      class="cost"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Cost over time, up to ${formatUsd(sum)} after ${formatDuration(duration)}`}
    >
      <path class="area" d={`${path} H${width} V${height} Z`} />
      <path class="edge" d={`${path} H${width}`} />
    </svg>
  );
}
