import type { ErrorCode } from "../../errors.js";

/** Codes that only the server has, besides those of `HarnessError`. */
export type RefusalCode =
  | ErrorCode
  | "no_access"
  | "wrong_host"
  | "wrong_origin"
  | "not_found"
  | "gone"
  | "wrong_method"
  | "too_large"
  | "failed";

/** The status of every code that is not answered with 400. */
const statuses = {
  no_access: 401,
  wrong_host: 403,
  wrong_origin: 403,
  not_found: 404,
  gone: 404,
  unknown_session: 404,
  unreadable_recording: 404,
  unknown_event: 404,
  unknown_line: 404,
  no_changes: 404,
  unknown_batch: 404,
  unreadable_batch: 404,
  unknown_cell: 404,
  unknown_format: 404,
  wrong_method: 405,
  not_ours: 409,
  session_gone: 409,
  session_closed: 409,
  session_busy: 409,
  session_running: 409,
  request_gone: 409,
  run_id_taken: 409,
  too_large: 413,
  failed: 500,
} as const satisfies Partial<Record<RefusalCode, number>>;

type RefusalStatus = 400 | (typeof statuses)[keyof typeof statuses];

const known: Partial<Record<string, RefusalStatus>> = statuses;

/** The status that a code is answered with. */
export function statusOfCode(code: string): RefusalStatus {
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? 400;
}

/** What every operation can be refused with. */
export const commonRefusals: readonly RefusalCode[] = [
  "bad_request",
  "no_access",
  "wrong_host",
  "wrong_origin",
  "failed",
];
