import type { OutputDefinition } from "../contract.js";

/** The log of a job of GitHub Actions. `harness run` also writes the job's summary and the step's outputs: `cli/running/github-files.ts`. */
export const githubOutput = {
  name: "github",
  summary: "the log of a GitHub Actions job: rows, folded output, annotations, masked secrets",
  isForPeople: true,
  async open(options = {}) {
    const [{ createJobLog }, { openTextRows }] = await Promise.all([
      import("./job-log.js"),
      import("../text-rows.js"),
    ]);
    return createJobLog(await openTextRows(options), options);
  },
} as const satisfies OutputDefinition;
