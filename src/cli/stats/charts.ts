/** Small charts made of characters. They need no colour, and every mark is one column wide. */

const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** One mark for each value, as high as its share of the largest. A value of 0 is a dot, so that a little is not taken for nothing. */
export function toSparkline(values: readonly number[]): string {
  const most = values.reduce((max, value) => Math.max(max, value), 0);
  return values
    .map((value) =>
      value <= 0 ? "·" : (levels[Math.max(0, Math.ceil((value / most) * levels.length) - 1)] ?? "█"),
    )
    .join("");
}

const parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar whose length is the share of the largest value, to an eighth of a column. Any value above 0 can be seen. */
export function toBar(value: number, most: number, width: number): string {
  if (!(value > 0) || !(most > 0)) return "";
  const eighths = Math.max(1, Math.round((Math.min(value, most) / most) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (parts[eighths % 8] ?? "");
}
