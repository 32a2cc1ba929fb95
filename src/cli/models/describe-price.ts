import type { Price } from "../../events/price.js";

/** `$4`, `$0.075`: a price per million tokens, with the digits that it has. */
export function usd(amount: number): string {
  return `$${Number(amount.toPrecision(12))}`;
}

/** `$4 input, $20 output, $0.2 cache read, $5 cache write per million tokens (Claude Code 2.1.325, 2026-11-13)`. */
export function describePrice(price: Price): string {
  const { input, output, cacheRead, cacheWrite, source, date } = price;
  const classes: [string, number | undefined][] = [
    ["input", input],
    ["output", output],
    ["cache read", cacheRead],
    ["cache write", cacheWrite],
  ];
  const amounts = classes.flatMap(([name, amount]) =>
    amount === undefined ? [] : [`${usd(amount)} ${name}`],
  );
  const origin = [source, date].filter((part) => part !== undefined).join(", ");
  return `${amounts.join(", ")} per million tokens${origin === "" ? "" : ` (${origin})`}`;
}
