import { capturesOf } from "./captures.mjs";
import { commandsIn, simpleCommandPattern } from "./commands.mjs";
import { writeInto } from "./file.mjs";
import { idPattern, idsIn, sessionIdsIn, stepPattern } from "./ids.mjs";
import { namePattern, namesIn } from "./names.mjs";

/** A handful of lines of 1 MB are most of the bytes of some captures. They would decide the figures of these agents. */
export const longestOrdinaryLine = 65_536;

/** More steps than any capture has. */
const stepsOfPlay = 1000;

/**
 * A native stream of about `megabytes` MB, as one long run would print it: it begins and ends once, and plays the successful captures
 * of an agent one after the other, in one session. In every play, ids and the names of files and folders are new, the same in
 * all fields of the play. So a command is new if it has a name in it (`cat src/app.ts`), and repeated if not (`ls`). Where fewer than
 * half of an agent's commands have one, the simple others get another word in every second play (`npm test part_7`). That makes
 * 47 to 75 of 100 commands new ones, depending on the agent.
 */
export function longRun(agent, megabytes, { hasLongLines = false } = {}) {
  const { begin, plays, end } = playsOf(agent, { hasLongLines });
  const playNext = takingTurns(plays);
  const name = `${agent}${hasLongLines ? "-long-lines" : ""}-${megabytes}.jsonl`;
  return writeInto(name, megabytes, playNext, { begin, end });
}

/** Plays one capture after the other, again and again. Every play has another number. */
export function takingTurns(plays) {
  let played = 0;
  return () => {
    const number = played++;
    const round = Math.floor(number / plays.length);
    return plays[number % plays.length](number, round % 2 === 1);
  };
}

/**
 * The captures of an agent as functions of the number that ids and names get, and the lines that begin and end the run. `select`
 * takes some lines of each capture.
 */
export function playsOf(agent, { hasLongLines = false, select = (lines) => lines } = {}) {
  const captures = capturesOf(agent);
  const frame = captures.find(isWholeRun) ?? captures.find(({ end }) => end.length > 0) ?? captures[0];
  const session = sessionIdsOf(agent, frame);
  const all = captures
    .map((capture) => {
      const own = Object.entries(sessionIdsOf(agent, capture));
      return select(capture.lines)
        .filter((line) => hasLongLines || line.length <= longestOrdinaryLine)
        .map((line) => own.reduce((text, [key, id]) => text.replaceAll(id, session[key] ?? id), line));
    })
    .filter((lines) => lines.length > 0);
  const parts = all.map((lines) => partsOf(lines, Object.values(session)));
  const isVaried = shareOfNamed(parts) >= 0.5;
  const plays = all.map((lines, at) => createPlay(lines, parts[at], isVaried));
  return { begin: textOf(frame.begin), plays, end: textOf(frame.end) };
}

/** What changes in these lines from play to play. */
function partsOf(lines, sessionIds) {
  const records = lines.map((line) => JSON.parse(line));
  const names = namePattern(namesIn(records));
  const hasName = new RegExp(names);
  const commands = [...new Set(records.flatMap(commandsIn))];
  return {
    ids: idPattern(idsIn(records, sessionIds)),
    names,
    named: commands.filter((command) => hasName.test(command)),
    unnamed: commands.filter((command) => !hasName.test(command)),
  };
}

function shareOfNamed(parts) {
  const count = (which) => parts.reduce((sum, one) => sum + one[which].length, 0);
  return count("named") / (count("named") + count("unnamed"));
}

function createPlay(lines, { ids, names, unnamed }, isVaried) {
  const simple = isVaried ? "(?!)" : simpleCommandPattern(unnamed);
  const pieces = textOf(lines).split(new RegExp(`(${ids})|(${names})|(${simple})|(${stepPattern})`));
  return (number, isLonger) => {
    let text = "";
    for (let at = 0; at < pieces.length; at += 5) {
      const [before, id, name, command, step] = pieces.slice(at, at + 5);
      text += before;
      if (id !== undefined) text += `${id}_${number}`;
      else if (name !== undefined) text += `${name}_${number}`;
      else if (command !== undefined) text += isLonger ? `${command} part_${number}` : command;
      else if (step !== undefined) text += number * stepsOfPlay + Number(step);
    }
    return text;
  };
}

/** A run that began and ended as the records of its agent say it. Some agents say neither. */
function isWholeRun({ begin, end }) {
  return begin.length > 0 && end.length > 0;
}

function sessionIdsOf(agent, { begin, lines }) {
  return sessionIdsIn(
    agent,
    [...begin, ...lines].map((line) => JSON.parse(line)),
  );
}

function textOf(lines) {
  return lines.map((line) => `${line}\n`).join("");
}
