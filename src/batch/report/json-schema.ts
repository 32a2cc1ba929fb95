import { toTitledJsonSchema } from "../../outputs/json-schema.js";
import { BatchReport } from "./schema.js";

/**
 * The JSON Schema (draft 2020-12) of `harness batch report --format json`, made from the schema that the code itself uses.
 *
 * The reports do not import this module, because what it needs is large.
 *
 * @example
 * const schema = createReportJsonSchema();
 * writeFileSync("batch-report.schema.json", JSON.stringify(schema, null, 2));
 */
export function createReportJsonSchema(): ReturnType<typeof toTitledJsonSchema> {
  return toTitledJsonSchema(BatchReport, "harness: what came out of a batch");
}
