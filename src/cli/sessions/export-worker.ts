/**
 * Exports recordings in a worker thread of `harness sessions export`, which `export-many.ts` starts. It is bundled as
 * `export-worker.cjs`.
 */
import { serveJobs } from "../many/serve-jobs.js";
import { openExportWork } from "./export-work.js";

void serveJobs(openExportWork);
