import { type Behaviour, program, toArguments } from "./agent.js";

/** The command's arguments for running the misbehaving agent. `--` and the agent's arguments come last. */
export function genericRun(behaviour: Behaviour, token: string, options: readonly string[] = []): string[] {
  const agent = ["--agent", "generic", "--binary", program("agent"), "--prompt", "do it"];
  return ["run", ...agent, ...options, "--", ...toArguments(behaviour, token)];
}

/** The numbers of the agent's lines in the output of `--format full`. */
export function numbersPrinted(lines: readonly string[]): number[] {
  return lines.flatMap((line) => {
    const number = /"raw":\{"type":"say","text":"(\d+)"\}\}$/.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** The types of the last events in the output of `--format full`. */
export function lastTypes(lines: readonly string[]): string {
  return lines
    .slice(-2)
    .map((line) => /^\{"type":"(\w+)"/.exec(line)?.[1])
    .join(" ");
}
