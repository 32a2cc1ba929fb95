/** Loaded before a program: its time of day is another one as soon as a file is there. */
import { existsSync } from "node:fs";

const RealDate = Date;
const mark = process.env["TEST_CLOCK_MARK"] ?? "";
const shift = Number(process.env["TEST_CLOCK_SHIFT"]);

function now() {
  return RealDate.now() + (existsSync(mark) ? shift : 0);
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};
