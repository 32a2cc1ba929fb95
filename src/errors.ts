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

/** Why a file cannot be used, for people: the words of the system without its codes and calls. */
export function problemOf(error: unknown): string {
  return problems[systemCode(error) ?? ""] ?? messageOf(error);
}

const problems: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "there is something with this name already",
  EISDIR: "it is a directory, not a file",
  ENOENT: "there is no such file or directory",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, not a directory",
  EPERM: "not permitted",
  EROFS: "the disk is read-only",
};

/** The system's code of an error (`ENOENT`), if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
