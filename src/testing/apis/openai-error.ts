/** An error in the format of both OpenAI APIs. */
export function openAiError(status: number, message: string): object {
  const [type, code] =
    kinds[status] ?? (status < 500 ? ["invalid_request_error", null] : ["server_error", "server_error"]);
  return { error: { message, type, param: null, code } };
}

const kinds: Record<number, [type: string, code: string]> = {
  401: ["invalid_request_error", "invalid_api_key"],
  402: ["insufficient_quota", "insufficient_quota"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
  503: ["server_error", "server_is_overloaded"],
};
