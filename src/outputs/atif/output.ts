import type { OutputDefinition } from "../contract.js";

/** `--format atif`: the whole run as one trajectory, when it has ended. */
export const atifOutput = {
  name: "atif",
  summary: "one JSON object at the end: the run as an ATIF trajectory, for Harbor and other tools",
  isForPeople: false,
  extensions: [".atif.json"],
  schema: async () => (await import("./schema.js")).AtifTrajectory,
  async open(options = {}) {
    const { openAtif } = await import("./format.js");
    return openAtif(options);
  },
} as const satisfies OutputDefinition;
