import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn } from "../measure.mjs";

/** 100 recorded runs in one process, each with an agent that prints 1,000 lines a second. */
export async function crowd({ isShort }) {
  const seconds = isShort ? "2" : "10";
  const { late, lines } = measureIn("crowd.mjs", ["100", "1000", seconds, join(directory, "crowd")]);
  const goal = { value: { most: 50 } };
  return [
    { figure: `100 runs at 1,000 lines/s, p50 of ${lines} lines`, value: late[50], unit: "ms" },
    { figure: "100 runs at 1,000 lines/s, p99", value: late[99], unit: "ms", goal },
  ];
}
