import type { Finished, OpenCall } from "../contract.js";

/*
 * Calls and their ends, each in the one shape that all of them have. V8 is fast with objects of one shape, and slow with fields that are
 * added later: with many shapes, a translation took 2 (cline) to 20 % (Antigravity) longer.
 */

/** A call as mappings open it. */
export function newCall(given: Omit<OpenCall, "line">): OpenCall {
  const { callId, name, input, parentCallId, native, operations, isSilent } = given;
  return { callId, name, input, parentCallId, native, operations, isSilent, line: undefined };
}

/** How a call ended, with the record that says so. */
export function withNative(how: Omit<Finished, "native">, native: Finished["native"]): Finished {
  const { isSuccess, output, exitCode, isAbandoned, details } = how;
  return { isSuccess, output, exitCode, isAbandoned, native, details };
}
