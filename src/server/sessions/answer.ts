import * as v from "valibot";
import type { Answer } from "../../agents/live-contract.js";
import { HarnessError } from "../../errors.js";

/** Longer texts belong into a file. */
export const longText = v.pipe(
  v.string(),
  v.maxLength(4_000_000, "must be shorter; put it into a file and name the file"),
);

const shared = { message: v.optional(longText) };

/** The forms of an answer, by the field that names the form. The input of a call cannot be changed with them. */
export const answerForms = {
  allow: v.variant("allow", [
    v.strictObject({ allow: v.literal(true), always: v.optional(v.boolean()) }),
    v.strictObject({ allow: v.literal(false), interrupt: v.optional(v.boolean()), ...shared }),
  ]),
  answers: v.strictObject({ answers: v.record(v.string(), v.array(longText)) }),
  content: v.strictObject({ content: v.record(v.string(), v.any()) }),
  decline: v.strictObject({ decline: v.literal(true), ...shared }),
} as const satisfies Record<string, v.GenericSchema<unknown, Answer>>;

const forms: Record<string, v.GenericSchema<unknown, Answer>> = answerForms;

/** An answer is one of the forms, and nothing else is in it. */
export function toAnswer(given: Record<string, unknown>): Answer {
  const [key] = Object.keys(forms).filter((each) => Object.hasOwn(given, each));
  const schema = key === undefined ? undefined : forms[key];
  const parsed = schema && v.safeParse(schema, given);
  if (parsed?.success) return parsed.output;
  const problem = parsed?.issues?.[0]?.message ?? "it has none of allow, answers, content and decline";
  throw new HarnessError("invalid_answer", `the answer is not understood: ${problem}`);
}
