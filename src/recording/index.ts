export { type RecordingMeta, readMeta } from "./meta.js";
export { parseRawRecord } from "./parse-record.js";
export { defaultSessionsDirectory, type RecordingPaths, recordingPaths } from "./paths.js";
export { readRecording } from "./read-recording.js";
export { type RecordedOutcome, readRecordedEnd } from "./recorded-outcome.js";
export { type ReplayOptions, replayOptionsOf, replayRecording } from "./replay.js";
export type { Step } from "./step.js";
