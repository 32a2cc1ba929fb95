/** `grep` for `grep` and `/usr/bin/grep`. Undefined for a relative path: `./grep` belongs to the project. */
export function programName(program: string): string | undefined {
  if (!program.includes("/")) return program;
  return program.startsWith("/") ? program.slice(program.lastIndexOf("/") + 1) : undefined;
}
