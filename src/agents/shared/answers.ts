import type { Answer } from "../live-contract.js";

/** The answer that allows a call or a plan. */
type Allowance = Extract<Answer, { allow: true }>;

export function isAllowed(answer: Answer): answer is Allowance {
  return "allow" in answer && answer.allow;
}

/** It holds for the rest of the session. */
export function isAlways(answer: Answer): boolean {
  return isAllowed(answer) && answer.always === true;
}

/** A denial that also ends the turn. */
export function endsTurn(answer: Answer): boolean {
  return "allow" in answer && !answer.allow && answer.interrupt === true;
}
