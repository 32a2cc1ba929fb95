/** Numbers, formatted for people. */

/** `342 ms`, `12.3 s`, `2m 31s`, `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${twoDigits(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

/** Time since the start: `0:07`, `12:34`, `1:02:03`. */
export function formatOffset(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = twoDigits(seconds % 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}

/** The same to the tenth of a second: `0:07.3`, `1:02:03.4`. */
export function formatExactOffset(milliseconds: number): string {
  const tenths = Math.max(0, Math.floor(milliseconds / 100));
  return `${formatOffset(tenths * 100)}.${tenths % 10}`;
}

/** `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `999`, `12.3k`, `4.5M`. */
export function formatShortCount(count: number): string {
  if (count < 1000) return withoutNoise(count);
  const [value, unit] = count < 999_950 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value.toFixed(1).replace(/\.0$/, "")}${unit}`;
}

/** `$1.25`; below a dollar up to four digits without trailing zeros: `$0.0067`. */
export function formatUsd(amount: number): string {
  if (amount === 0 || Math.abs(amount) >= 1) return `$${amount.toFixed(2)}`;
  return `$${amount.toFixed(4).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/** `512 B`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${withoutNoise(bytes)} B`;
  const [value, unit] =
    bytes < 999_950 ? [bytes / 1e3, "kB"] : bytes < 999_950_000 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${value.toFixed(1).replace(/\.0$/, "")} ${unit}`;
}

/** `1 file`, `2 files`. */
export function formatNumberOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** At most one digit: sums and means of numbers that computers cannot write exactly have many more. */
function withoutNoise(value: number): string {
  return String(Number(value.toFixed(1)));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
