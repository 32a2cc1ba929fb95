import type { Refusal } from "../../../src/server/protocol.js";

/** A request that the server refused, with the server's message. */
export class RefusedError extends Error {
  readonly code: string;

  constructor({ code, message }: Refusal) {
    super(message);
    this.code = code;
  }
}

export async function getJson<T>(path: string): Promise<T> {
  return (await answer(await fetch(path))).json();
}

export async function getText(path: string): Promise<string> {
  return (await answer(await fetch(path))).text();
}

export async function postJson<T>(path: string, body: unknown = {}): Promise<T> {
  const headers = { "content-type": "application/json" };
  return (await answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }))).json();
}

export async function deleteRun(id: string): Promise<void> {
  await answer(await fetch(runPath(id), { method: "DELETE" }));
}

async function answer(response: Response): Promise<Response> {
  if (response.ok) return response;
  const refusal: Refusal = await response
    .json()
    .catch(() => ({ code: "failed", message: `the server answered ${response.status}` }));
  throw new RefusedError(refusal);
}

export function runPath(id: string): string {
  return `/api/runs/${encodeURIComponent(id)}`;
}
