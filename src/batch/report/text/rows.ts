import type { Line, Segment, Style } from "../../../outputs/text/line.js";
import { wrapText } from "../../../outputs/text/wrap.js";
import { cleanLine } from "../../../text/cut.js";
import { formatCount, formatDuration, formatShortCount } from "../../../text/numbers.js";
import type { Figures } from "../schema.js";
import { describeCost, formatInterval, formatShare } from "../words.js";
import { styled, type TableCell } from "./table.js";

/** Each sentence behind a mark, wrapped. */
export function sentences(all: readonly string[], width: number, style?: Style): Line[] {
  return all.flatMap((sentence) => paragraph(sentence, width, styled("•", style)));
}

export function paragraph(text: string, width: number, mark: Segment, style?: Style): Line[] {
  const rows = wrapText(cleanLine(text), Math.max(20, width - 2));
  return rows.map((row, index) => [
    ...(index === 0 ? [mark, { text: " " }] : [{ text: "  " }]),
    { text: row, style },
  ]);
}

/** What a row says about some cells: pass rate, number, interval, cost, time, tokens, errors, turns. */
export function figureCells({
  passRate,
  failed,
  errors,
  costUsd,
  durationMs,
  tokens,
  turns,
}: Figures): TableCell[] {
  const style: Style | undefined = passRate === undefined ? undefined : failed === 0 ? "success" : undefined;
  return [
    passRate === undefined ? "" : styled(formatShare(passRate.rate), style),
    passRate === undefined ? "" : formatCount(passRate.of),
    passRate === undefined ? "no result" : formatInterval(passRate),
    costUsd === undefined ? "" : describeCost(costUsd),
    durationMs === undefined ? "" : formatDuration(durationMs.median),
    tokens === undefined ? "" : formatShortCount(Math.round(tokens.median)),
    errors === 0 ? "" : styled(formatCount(errors), "warning"),
    turns === undefined ? "" : String(Number(turns.median.toFixed(1))),
  ];
}

/** Words that are less important, wrapped. */
export function dimRows(text: string, width: number): Line[] {
  return wrapText(text, width).map((row): Line => [styled(row, "dim")]);
}
