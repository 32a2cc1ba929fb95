import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";

/** Rate limits of the account. */
export interface RateLimits {
  /** `rate_limit_event`. Only a limit that is near or reached is reported. */
  record(record: JsonObject, out: Sink): void;
  /** When the limit behind a failure ends, in ISO 8601. Undefined: no limit was the cause, or its end is not known. */
  retryAt(failure: {
    message: string;
    code?: string | undefined;
    status?: number | undefined;
  }): string | undefined;
}

export function createRateLimits(): RateLimits {
  let resetsAt: string | undefined;

  return {
    record(record, out) {
      const info = asObject(record["rate_limit_info"]) ?? {};
      const status = asText(info["status"]);
      resetsAt = status === "rejected" ? timeOf(asNumber(info["resetsAt"])) : undefined;
      if (status === undefined || status === "allowed") return out.consume("rate_limit_event: allowed");
      const kind = asText(info["rateLimitType"]);
      out.emit({
        type: "warning",
        message: `rate limit${kind ? ` (${kind})` : ""}: ${status}`,
        code: status,
      });
    },
    retryAt({ message, code, status }) {
      const inWords = /limit reached\|(\d{10,13})$/.exec(message.trim())?.[1];
      if (inWords !== undefined) return timeOf(Number(inWords));
      return code === "rate_limit" || status === 429 ? resetsAt : undefined;
    },
  };
}

const year2100 = 4_102_444_800;

/** A time in seconds or milliseconds since 1970. */
function timeOf(stamp: number | undefined): string | undefined {
  if (stamp === undefined || stamp <= 0) return undefined;
  const seconds = stamp > year2100 ? stamp / 1000 : stamp;
  return seconds > year2100 ? undefined : new Date(seconds * 1000).toISOString();
}
