import type { ServerResponse } from "node:http";
import type { RecordedRequest } from "./recorded-request.js";
import { respondJson } from "./respond.js";

/** Answers requests that are not for the model: health checks, lists of models, token counts. */
export function answerOtherRequest(record: RecordedRequest, path: string, response: ServerResponse): void {
  const [status, body] = bodyFor(record, path);
  respondJson(response, status, body, record.answer);
}

function bodyFor({ method }: RecordedRequest, path: string): [status: number, body: object] {
  if (method === "HEAD" || path === "/") return [200, {}];
  if (path.endsWith("/count_tokens")) return [200, { input_tokens: 100 }];
  if (path.endsWith(":countTokens")) return [200, { totalTokens: 100 }];
  if (path.endsWith("/models")) return [200, models];
  return [404, { error: { message: `The scripted model does not know ${method} ${path}`, code: 404 } }];
}

/** Some agents (Goose) check that their model is listed before they use it. */
const models = {
  object: "list",
  data: ["scripted-model", "gpt-4o", "gpt-5.5", "claude-sonnet-4-5"].map((id) => ({
    id,
    type: "model",
    object: "model",
    created: 0,
    owned_by: "scripted",
  })),
};
