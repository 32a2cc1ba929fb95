import { linesOf } from "./captures.mjs";
import { commandsIn } from "./commands.mjs";
import { writeInto } from "./file.mjs";
import { idsIn } from "./ids.mjs";
import { playsOf, takingTurns } from "./long-run.mjs";
import { namePattern, namesIn } from "./names.mjs";

/** So many commands of the captures are the patterns of all others. */
const patterns = 22;
const commandInJson = /(?<="(?:command|cmd)":)"(?:[^"\\]|\\.)*"/g;

/**
 * The shell calls of an agent alone, as one long run would print them, with `distinct` different commands in turn: patterns from the
 * captures, with other names in them. Inputs with another number of commands have the same lines of the same length, so that
 * only the number of commands makes a difference.
 */
export function shellCalls(agent, megabytes, distinct) {
  const { begin, plays, end } = playsOf(agent, { select: linesOfShellCalls });
  const commands = manyCommands(linesOf(agent), distinct);
  const playNext = takingTurns(plays);
  let called = 0;
  const next = () => {
    const now = new Map();
    return playNext().replaceAll(commandInJson, (old) => {
      // The lines of one call repeat its command.
      const command = now.get(old) ?? commands[called++ % distinct];
      now.set(old, command);
      return command;
    });
  };
  return writeInto(`${agent}-${distinct}-commands.jsonl`, megabytes, next, { begin, end });
}

/** Lines with a command, and those of the same calls, without the pieces of messages that Claude Code prints before them. */
function linesOfShellCalls(all) {
  const lines = all.filter((line) => JSON.parse(line).type !== "stream_event");
  const records = lines.map((line) => JSON.parse(line));
  const calls = idsIn(records.filter((record) => commandsIn(record).length > 0)).map((id) => `"${id}"`);
  return lines.filter(
    (line, at) => commandsIn(records[at]).length > 0 || calls.some((id) => line.includes(id)),
  );
}

/** As JSON. */
function manyCommands(lines, distinct) {
  const names = new RegExp(namePattern(namesIn(lines.map((line) => JSON.parse(line)))), "g");
  const found = new Set(lines.flatMap((line) => line.match(commandInJson) ?? []));
  const named = [...found].filter((command) => command.search(names) !== -1).slice(0, patterns);
  if (named.length < patterns) throw new Error(`only ${named.length} commands of the captures have a name`);
  return Array.from({ length: distinct }, (_none, number) => {
    const variant = String(Math.floor(number / patterns)).padStart(4, "0");
    return named[number % patterns].replaceAll(names, (name) => `${name}x${variant}`);
  });
}
