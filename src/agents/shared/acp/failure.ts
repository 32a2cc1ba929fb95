import type { FailureKind } from "../../../events/failure.js";
import { asNumber, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Cause } from "./dialect.js";

/** Codes of the protocol whose meaning is certain. */
const kindsByCode: Readonly<Record<number, FailureKind>> = {
  [-32000]: "auth",
  [-32002]: "config",
};

/** Why the agent refused a request. The words are often in `data`, and the message is only the name of the code. */
export function causeOf(error: JsonObject): Cause {
  const code = asNumber(error["code"]);
  const { data } = error;
  const details = asText(data) ?? firstText(asObject(data) ?? {}, ["details", "message"]);
  const message = asText(error["message"])?.replace(/^Internal error: /, "");
  const words = details ?? message ?? "the agent refused the request";
  const isStatus = code !== undefined && code >= 400 && code < 600;
  return {
    message: words,
    code: asText(asObject(data)?.["errorKind"]),
    status: isStatus ? code : undefined,
    kind: code === undefined ? undefined : kindsByCode[code],
  };
}

/** How a turn ended, by the reason in the answer to its prompt. */
export interface TurnStop {
  failure?: { kind: FailureKind; message: string };
  warning?: { code: string; message: string };
  isInterrupted?: true;
}

const stopReasons: Readonly<Record<string, TurnStop>> = {
  end_turn: {},
  cancelled: { isInterrupted: true },
  max_tokens: {
    warning: { code: "output_limit", message: "the model reached its output token limit" },
  },
  max_turn_requests: {
    failure: { kind: "max_turns", message: "the turn reached the agent's limit of requests" },
  },
  refusal: { failure: { kind: "refusal", message: "the model refused to go on" } },
};

/** Undefined if the answer names no reason that is known. */
export function turnStopOf(answer: JsonObject): TurnStop | undefined {
  const reason = asText(answer["stopReason"]) ?? "";
  return Object.hasOwn(stopReasons, reason) ? stopReasons[reason] : undefined;
}
