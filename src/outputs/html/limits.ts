import { type CutText, cutText } from "../../text/cut.js";

/** How much of a recording a page shows. A browser must be able to open it. */
export interface Limits {
  /** Rows of the timeline. */
  items: number;
  /** Characters of one input, output or message. */
  body: number;
  /** Characters of all of them. */
  total: number;
}

export const pageLimits: Limits = { items: 10_000, body: 64_000, total: 16_000_000 };

export const noLimits: Limits = {
  items: Number.POSITIVE_INFINITY,
  body: Number.POSITIVE_INFINITY,
  total: Number.POSITIVE_INFINITY,
};

/** Decides how much of each text is shown. The more is used up, the less a text gets, but never nothing. */
export interface Allowance {
  /** The markup is for the live page, which can show another view, copy, and show more. */
  isLive?: true;
  /** As much as is possible is shown: there is no more to ask for. */
  isWhole?: boolean;
  cut(text: string): CutText;
}

const least = 200;

export function createAllowance(limits: Limits): Allowance {
  let used = 0;
  return {
    cut(text) {
      const share = (limits.total - used) / 64;
      const allowed = Number.isFinite(limits.total)
        ? Math.max(least, Math.min(limits.body, share))
        : limits.body;
      const cut = cutText(text, Math.floor(allowed));
      used += cut.head.length + cut.tail.length;
      return cut;
    },
  };
}
