/**
 * Translates logs in a worker thread of `harness translate DIR`, which `translate-many.ts` starts. It is bundled as
 * `translate-worker.cjs`.
 */
import { serveJobs } from "../many/serve-jobs.js";
import { openTranslationWork } from "./translation-work.js";

void serveJobs(openTranslationWork);
