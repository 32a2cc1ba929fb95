import { isFailedOperation } from "../describe-operation.js";
import type { CallItem } from "./items.js";

/** True when a call, or anything it did, did not succeed. */
export function isFailedCall(call: CallItem): boolean {
  return call.isSuccess === false || call.operations.some(isFailedOperation);
}

/** The exit code of the command that a call ran, if it ran one. */
export function exitCodeOfCall(call: CallItem): number | undefined {
  return call.operations.find((event) => event.type === "command")?.exitCode;
}
