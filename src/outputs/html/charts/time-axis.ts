import { formatDuration } from "../../../text/numbers.js";
import { html, type Markup } from "../markup.js";

/** Time from left to right. Positions are per cent, so that bars follow the width of the page and words keep their size. */
export interface TimeAxis {
  duration: number;
  /** `12.34%` */
  at(time: number): string;
  /** As wide as a time is long, and never too thin to see. */
  width(time: number): string;
}

const thinnest = 0.25;

export function createTimeAxis(duration: number): TimeAxis {
  const whole = Math.max(1, duration);
  const share = (time: number): number => Math.min(100, Math.max(0, (time / whole) * 100));
  return {
    duration: whole,
    at: (time) => percent(Math.min(share(time), 100 - thinnest)),
    width: (time) => percent(Math.max(thinnest, share(time))),
  };
}

export function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`;
}

/** In seconds. Beyond the last, days. */
const niceSteps = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
  3600, 7200, 14_400, 21_600, 43_200,
];
const maxTicks = 5;

/** Lines from top to bottom, with their times below. */
export function renderTimeAxis(axis: TimeAxis, height: number): Markup {
  const lines = ticksOf(axis.duration).map((time) => {
    const x = percent((time / axis.duration) * 100);
    return html`
      <line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height}"/>
      <text class="tick" x="${x}" dx="3" y="${height + 12}">${formatTick(time)}</text>`;
  });
  return html`${lines}`;
}

function ticksOf(duration: number): number[] {
  const days = Math.ceil(duration / maxTicks / 86_400_000) * 86_400_000;
  const step = (niceSteps.find((seconds) => duration / (seconds * 1000) <= maxTicks) ?? days / 1000) * 1000;
  const ticks: number[] = [];
  /** A word at the very end would be cut off. */
  for (let time = 0; time <= duration * 0.92; time += step) ticks.push(time);
  return ticks;
}

function formatTick(time: number): string {
  return time === 0 ? "0" : formatDuration(time).replace(" 00s", "").replace(" 00m", "");
}
