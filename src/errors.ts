/**
 * The one error class of the project. `code` is stable and meant for programs; the message is a
 * sentence for people that says what is wrong and what to do next.
 */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Whether it is one of ours, also when another copy of this package threw it (an agent's own module may bring one). */
export function isHarnessError(error: unknown): error is HarnessError {
  return error instanceof HarnessError || (error instanceof Error && error.name === "HarnessError");
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of an error (`ENOENT`), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
