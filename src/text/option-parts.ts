import * as v from "valibot";

/** Parts of the schemas that check options. Each message follows the name of its key. */

export const nonEmptyText = v.pipe(v.string(), v.nonEmpty("must not be empty; leave it out instead"));

export const texts = v.pipe(v.array(v.string()), v.readonly());

/** `Infinity` is refused as well: without the option there is no limit. */
export const positiveNumber = v.pipe(
  v.number(),
  v.finite("must be a finite number; leave it out for no limit"),
  v.gtValue(0, "must be above 0; leave it out for none"),
);

/** A function of the given type. Its parameters and result cannot be checked. */
export function functionOf<T>() {
  return v.custom<T>((input) => typeof input === "function", "must be a function");
}

export const abortSignal = v.custom<AbortSignal>(
  (input) => input instanceof AbortSignal,
  "must be an AbortSignal",
);

/** The rule for names of environment variables, in options and in configuration files. */
export const variableNameRule = {
  pattern: /^[^=\0]+$/,
  message: 'must be the name of a variable: not empty, and without "="',
} as const;

/** Environment variables and their values: an object of strings. */
export const variables = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (input) => typeof input === "object" && input !== null && !Array.isArray(input),
    "must be an object whose values are strings",
  ),
  v.rawTransform<Readonly<Record<string, unknown>>, Readonly<Record<string, string>>>(
    ({ dataset, addIssue, NEVER }) => {
      const input = dataset.value;
      const checked: [string, string][] = [];
      for (const [key, value] of Object.entries(input)) {
        const path: [v.IssuePathItem] = [{ type: "object", origin: "value", input, key, value }];
        const isName = variableNameRule.pattern.test(key);
        if (isName && typeof value === "string") {
          checked.push([key, value]);
          continue;
        }
        const message = isName
          ? "must be a string; leave the variable out instead"
          : variableNameRule.message;
        addIssue({ message, path });
        return NEVER;
      }
      return Object.fromEntries(checked);
    },
  ),
);
