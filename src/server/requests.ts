import type { Context } from "hono";
import { HarnessError } from "../errors.js";
import { isRunId } from "../events/run-id.js";
import type { Refusal } from "./protocol.js";

export const maxBodyBytes = 8 * 1024 * 1024;

/** The run that a request names. Nothing else than a run id ever becomes part of a path. */
export function runIdOf(context: Context): string {
  const id = context.req.param("id") ?? "";
  if (isRunId(id)) return id;
  throw new HarnessError("unknown_session", "that is not a valid run id");
}

export function numberOf(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new HarnessError("bad_request", `"${text.slice(0, 40)}" is not a number`);
}

export function tooLarge(context: Context): Response {
  const message = "the request has more than 8 MB; put the text into a file and name the file in the prompt";
  return context.json({ code: "too_large", message } satisfies Refusal, 413);
}
