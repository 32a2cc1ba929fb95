import type { SessionRequest } from "../../agents/live-contract.js";
import type { Line, Style } from "../../outputs/text/line.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { wishesOf } from "../../story/describe-request.js";
import { findDiffs } from "../../story/find-diffs.js";
import { cleanText } from "../../text/clean-text.js";
import { isObject } from "../../text/fields.js";
import { toJsonText, toPrettyJson } from "../../text/to-json.js";

/** More than anybody reads, and less than what a terminal forgets. What is left out is said. */
const maxRows = 500;

/** What the agent asks, as rows: what it would do with all of its details, the diff, the options. Somebody has to decide about it. */
export function toRequestRows(request: SessionRequest, cwd: string | undefined, columns: number): Line[] {
  const { kind, message = "", questions = [] } = request;
  const head =
    kind === "question"
      ? []
      : wishesOf(request, cwd).map(
          ({ verb, object }) => `${kind === "form" ? "asks for data:" : `wants to ${verb}`} ${object}`,
        );
  const rows: Line[] = [
    [],
    ...head.flatMap((text) => paragraph(text, columns, "bold", "? ")),
    ...paragraph(isSaid(message, head) ? "" : message, columns, undefined, "  "),
    ...detailsOf(request, columns),
  ];
  for (const [index, { question, header, options = [], isMultiple }] of questions.entries()) {
    const title = header === undefined ? question : `${header}: ${question}`;
    const number = questions.length > 1 ? `${index + 1} of ${questions.length}: ` : "";
    rows.push(...paragraph(`${number}${title}`, columns, "bold", "? "));
    for (const [at, { label, description }] of options.entries()) {
      const text = description === undefined ? label : `${label} – ${description}`;
      rows.push(...paragraph(`${at + 1}  ${text}`, columns, undefined, "  "));
    }
    if (isMultiple) rows.push([{ text: "  Several are possible: 1,3", style: "dim" }]);
  }
  return rows;
}

/** Some agents repeat the command as their reason. */
function isSaid(message: string, head: readonly string[]): boolean {
  return head.some((text) => text.endsWith(message.trim()));
}

function paragraph(text: string, columns: number, style: Style | undefined, mark: string): Line[] {
  const clean = cleanText(text).trimEnd();
  if (clean === "") return [];
  return wrapText(clean, columns - mark.length - 1).map((row, index) => [
    { text: index === 0 ? mark : " ".repeat(mark.length), style: "accent" },
    { text: row, style },
  ]);
}

/** The diff, or what would be written, or the input as it is. A command is in the first row already. */
function detailsOf(request: SessionRequest, columns: number): Line[] {
  const { kind, input, operations = [], schema } = request;
  if (kind === "form") return schema === undefined ? [] : plainRows(toPrettyJson(schema), columns);
  if (kind !== "permission") return [];
  const diffs = findDiffs(input);
  if (diffs.length > 0)
    return cutRows(diffs.flatMap((diff) => diff.split("\n")).flatMap((row) => toDiffRows(row, columns)));
  const content = isObject(input) ? (input["content"] ?? input["contents"]) : undefined;
  if (typeof content === "string")
    return cutRows(content.split("\n").flatMap((row) => toDiffRows(`+${row}`, columns)));
  if (operations.length > 0 && operations.every(({ type }) => type !== "mcp")) return [];
  return input === undefined ? [] : plainRows(toJsonText(input), columns);
}

const diffStyles: Readonly<Record<string, Style>> = { "+": "success", "-": "failure", "@": "accent" };

function toDiffRows(row: string, columns: number): Line[] {
  const text = cleanText(row).replaceAll("\t", "  ");
  const style = diffStyles[text[0] ?? ""] ?? "dim";
  return wrapText(text, columns - 3).map((part) => [{ text: "  " }, { text: part, style }]);
}

function plainRows(text: string, columns: number): Line[] {
  const rows = wrapText(cleanText(text), columns - 3);
  return cutRows(rows.map((row) => [{ text: "  " }, { text: row, style: "dim" }]));
}

function cutRows(rows: Line[]): Line[] {
  if (rows.length <= maxRows) return rows;
  const missing = rows.length - maxRows + 1;
  return [...rows.slice(0, maxRows - 1), [{ text: `  … ${missing} more lines`, style: "warning" }]];
}
