import type { RunAbout } from "../../../src/server/protocol.js";

/** The command that starts the same run in a shell. */
export function runCommand({ row, prompt, argv, permissions }: RunAbout): string {
  const { agent, cwd, model } = row;
  const isAsked = model !== undefined && argv.some((each) => each.includes(model));
  return [
    "harness",
    "run",
    ...["--agent", agent],
    ...(cwd === "" ? [] : ["--cwd", cwd]),
    ...(isAsked ? ["--model", model] : []),
    ...(permissions === "read-only" ? ["--permissions", "read-only"] : []),
    ...["--prompt", prompt],
  ]
    .map(quote)
    .join(" ");
}

/** The command that goes on in the session of a recorded run. */
export function resumeCommand(id: string, prompt: string): string {
  return ["harness", "run", "--resume", id, "--prompt", prompt].map(quote).join(" ");
}

/** A word of a POSIX shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
