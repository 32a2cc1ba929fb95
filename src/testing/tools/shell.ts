import type { Action, FileChange } from "../actions.js";

/** An action as a shell command, for agents without a tool for it. */
export function toShellCommand(action: Action): string | undefined {
  switch (action.kind) {
    case "runCommand":
      return action.command;
    case "startCommand":
      return `nohup sh -c ${quote(action.command)} > /dev/null 2>&1 &`;
    case "readFile":
      if (action.lines === undefined) return `cat ${quote(action.path)}`;
      return `sed -n '${action.lines[0]},${action.lines[1]}p' ${quote(action.path)}`;
    case "writeFile":
      return `printf %s ${quote(action.content)} > ${quote(action.path)}`;
    case "search":
      return `grep -rn ${quote(action.pattern)} ${quote(action.path)}`;
    case "findFiles":
      return `find . ${findExpression(action.glob)}`;
    case "listDirectory":
      return `ls ${quote(action.path)}`;
    default:
      return undefined;
  }
}

/** A plain name matches anywhere. A glob with a directory is relative to the workspace. */
function findExpression(glob: string): string {
  const name = glob.replace(/^(\*\*\/)+/, "");
  return name.includes("/") ? `-path ${quote(`./${name.replaceAll("**/", "*")}`)}` : `-name ${quote(name)}`;
}

/** A change of a patch as a shell command, if it only deletes or moves. */
export function toFileCommand(change: FileChange): string | undefined {
  if (change.kind === "delete") return `rm ${quote(change.path)}`;
  if (change.kind === "update" && change.moveTo !== undefined)
    return `mv ${quote(change.path)} ${quote(change.moveTo)}`;
  return undefined;
}

/** A here-document that passes its text to the program unchanged. */
export function hereDocument(program: string, text: string): string {
  return `${program} <<'END_OF_TEXT'\n${text}\nEND_OF_TEXT`;
}

function quote(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
