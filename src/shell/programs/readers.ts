import { readWithCat } from "./cat.js";
import { readWithHead } from "./head.js";
import { readWithNl } from "./nl.js";
import type { Reader } from "./reader.js";
import { readWithSed } from "./sed.js";
import { readWithTail } from "./tail.js";

/** Programs that print lines: of files, or as a filter of what is piped into them. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["cat", readWithCat],
  ["head", readWithHead],
  ["nl", readWithNl],
  ["sed", readWithSed],
  ["tail", readWithTail],
]);
