import type { ModelRequest } from "../model-request.js";
import type { Frame, Reply } from "../reply.js";

/** The model APIs that the server speaks. */
export type ModelApi = "anthropic" | "responses" | "chat" | "gemini";

/** One model API: reads its requests and writes its answers. Pure, without I/O. */
export interface Dialect {
  readonly api: ModelApi;
  /** Whether `POST path` belongs to this API. The path has no query. */
  accepts(path: string): boolean;
  read(body: unknown, path: string): ModelRequest;
  /** The answer as server-sent events. */
  frames(reply: Reply, body: unknown): Iterable<Frame>;
  /** The answer as one JSON value. */
  whole(reply: Reply): object;
  /** An error in the format of this API. */
  error(status: number, message: string, retryAfterSeconds?: number): object;
}
