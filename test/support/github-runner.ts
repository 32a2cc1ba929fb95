/*
 * What the runner of GitHub Actions does with the lines and files of a step: a port of ActionCommand.cs, OutputManager.cs and
 * FileCommandManager.cs of actions/runner. White space is what .NET calls white space.
 */

export interface ObeyedCommand {
  name: string;
  properties: Record<string, string>;
  data: string;
}

const registered: ReadonlySet<string> = new Set([
  "stop-commands",
  "set-env",
  "set-output",
  "save-state",
  "add-path",
  "add-mask",
  "add-matcher",
  "remove-matcher",
  "debug",
  "warning",
  "error",
  "notice",
  "group",
  "endgroup",
  "echo",
]);

/** The lines of a stream as the runner's reader cuts them. */
export function linesOfStep(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The command that the runner takes a line for, in either of its two forms. */
export function commandIn(line: string): ObeyedCommand | undefined {
  return newForm(line) ?? oldForm(line);
}

const leadingSpace =
  /^[\t-\r\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u200b\ufeff\u00ad]*/;

function newForm(line: string): ObeyedCommand | undefined {
  const message = line.replace(leadingSpace, "");
  if (!message.startsWith("::")) return undefined;
  const end = message.indexOf("::", 2);
  if (end < 0) return undefined;
  const data = unescaped(message.slice(end + 2), ["%0D", "\r"], ["%0A", "\n"], ["%25", "%"]);
  return toCommand(message.slice(2, end), ",", data, (value) =>
    unescaped(value, ["%0D", "\r"], ["%0A", "\n"], ["%3A", ":"], ["%2C", ","], ["%25", "%"]),
  );
}

function oldForm(line: string): ObeyedCommand | undefined {
  const start = line.indexOf("##[");
  const end = line.indexOf("]", start);
  if (start < 0 || end < 0) return undefined;
  const read = (value: string): string =>
    unescaped(value, ["%3B", ";"], ["%0D", "\r"], ["%0A", "\n"], ["%5D", "]"], ["%25", "%"]);
  return toCommand(line.slice(start + 3, end), ";", read(line.slice(end + 1)), read);
}

function toCommand(
  info: string,
  separator: string,
  data: string,
  read: (value: string) => string,
): ObeyedCommand | undefined {
  const space = info.indexOf(" ");
  const name = (space < 0 ? info : info.slice(0, space)).toLowerCase();
  if (!registered.has(name)) return undefined;
  const pairs =
    space > 0
      ? info
          .slice(space + 1)
          .trim()
          .split(separator)
      : [];
  const properties = pairs.flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 && at < pair.length - 1 ? [[pair.slice(0, at), read(pair.slice(at + 1))]] : [];
  });
  return { name, properties: Object.fromEntries(properties), data };
}

function unescaped(text: string, ...mappings: [string, string][]): string {
  return mappings.reduce((so, [replacement, token]) => so.replaceAll(replacement, token), text);
}

/** Reads a file of `GITHUB_OUTPUT`. Throws where the runner fails the step. */
export function readOutputFile(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  let index = 0;
  const next = (): { line: string; newline: string } | undefined => {
    if (index >= text.length) return undefined;
    const [newline = ""] = text.slice(index).match(/\r\n|\r|\n/) ?? [];
    const end = newline === "" ? text.length : text.indexOf(newline, index);
    const line = text.slice(index, end);
    index = end + newline.length;
    return { line, newline };
  };
  for (let read = next(); read !== undefined; read = next()) {
    const { line } = read;
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      outputs[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    const delimiter = line.slice(heredoc + 2);
    if (heredoc < 1 || delimiter === "") throw new Error(`Invalid format '${line}'`);
    const start = index;
    let end = index;
    for (let inside = next(); inside?.line !== delimiter; inside = next()) {
      if (inside === undefined) throw new Error(`Matching delimiter not found '${delimiter}'`);
      end = index - inside.newline.length;
    }
    outputs[line.slice(0, heredoc)] = end > start ? text.slice(start, end) : "";
  }
  return outputs;
}
