import { asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { TodoList, TodoTool } from "../contract.js";
import { mergeTodos, readTodos } from "../shared/todos.js";

/**
 * Copilot keeps its to-do list in the table `todos` of the session's database, which subagents share (1.0.102). The record
 * `session.todos_changed` does not contain the list. So the statements of the `sql` tool are followed, if they name rows by their id.
 * After any other change of the table the list is not known, until a query shows the whole table.
 */
const read: TodoTool["read"] = ({ input, output, isSuccess }, before) => {
  const { query, database } = asObject(input) ?? {};
  if (!isSuccess || (asText(database) ?? "session") !== "session") return before;
  const statements = statementsOf(asText(query) ?? "");
  const [only] = statements;
  if (statements.length === 1 && only !== undefined && wholeTable.test(textOf(only)))
    return readTodos(rowsOf(asText(output) ?? "")) ?? before;
  return statements.reduce((list, tokens) => follow(tokens, list), before);
};

export const todoTool: TodoTool = { read, isShared: true };

const wholeTable = /^select (?:\* |(?=.*\btitle\b)(?=.*\bstatus\b)[\w ,]*)from todos(?: order by [\w ,]*)?$/;

/** A word, a number or an operator as it is written; a text without its quotes. */
interface Token {
  text: string;
  isText?: true;
}

const token = /'((?:[^']|'')*)'|--[^\n]*|[\w.]+|"([^"]*)"|`([^`]*)`|[^\s\w]/g;

/** The statements of a query as tokens, without comments. */
function statementsOf(query: string): Token[][] {
  const statements: Token[][] = [[]];
  for (const [whole, literal, ...quoted] of query.matchAll(token)) {
    if (whole.startsWith("--")) continue;
    if (whole === ";") statements.push([]);
    else if (literal === undefined) statements.at(-1)?.push({ text: quoted.find(Boolean) ?? whole });
    else statements.at(-1)?.push({ text: literal.replaceAll("''", "'"), isText: true });
  }
  return statements.filter((tokens) => tokens.length > 0);
}

/** The statement in lower case, with a blank between tokens. Texts are `?`. */
function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text, isText }) => (isText ? "?" : text.toLowerCase())).join(" ");
}

const insert = /^insert (?:or (replace|ignore) )?into todos \( ([\w ,]+) \) values \( .* \)$/;
const byId = /^where id (?:= (?:\?|\d+)|in \( [?\d ,]+ \))$/;
/** Statements that can change the table. One that begins with a comment is not read any further. */
const changes = new RegExp(
  "^(?:(?:insert|replace)(?: or \\w+)? into|update(?: or \\w+)?|delete from|(?:drop|alter) table(?: if exists)?) (?:main\\.)?todos\\b" +
    "|^(?:with .*\\b(?:insert|update|delete|replace)|/ \\*).*\\btodos\\b",
);

/** The list after one statement. */
function follow(tokens: readonly Token[], before: TodoList | undefined): TodoList | undefined {
  const text = textOf(tokens);
  if (before === undefined || !changes.test(text)) return before;
  if (insert.test(text)) return inserted(tokens, before);
  if (text.startsWith("update todos set ")) return updated(tokens, before);
  if (!/^delete from todos(?: where |$)/.test(text)) return undefined;
  const ids = idsOf(tokens, before);
  return ids && before.filter(({ id }) => id !== undefined && !ids.includes(id));
}

/** Rows without a status are `pending`, as the table has it. A row that exists is replaced: a plain `INSERT` would have failed. */
function inserted(tokens: readonly Token[], before: TodoList): TodoList | undefined {
  const [, how, names = ""] = insert.exec(textOf(tokens)) ?? [];
  const columns = names.split(" , ");
  const rows = rowsOfValues(tokens.slice(indexOf(tokens, "values") + 1));
  if (!columns.includes("id") || !columns.includes("title") || rows === undefined) return undefined;
  let list = before;
  for (const values of rows) {
    if (values.length !== columns.length) return undefined;
    const row: JsonObject = Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
    const isThere = list.some(({ id }) => id === row["id"]);
    if (isThere && how === "ignore") continue;
    if (isThere) list = list.filter(({ id }) => id !== row["id"]);
    list = mergeTodos(list, [{ status: "pending", ...row }]);
  }
  return list;
}

/** The values in `( 'a' , 'b' ) , ( … )`. Undefined if one is more than a text, a number or a word such as NULL. */
function rowsOfValues(tokens: readonly Token[]): (string | null)[][] | undefined {
  const rows: (string | null)[][] = [];
  let row: Token[] | undefined;
  for (const each of tokens) {
    const mark = each.isText ? "" : each.text;
    if (mark === "(" && row === undefined) row = [];
    else if (mark === ")" && row !== undefined) {
      if (row.some((value, at) => (at % 2 === 1) !== (value.text === "," && !value.isText))) return undefined;
      rows.push(row.filter((_, at) => at % 2 === 0).map(literalOf));
      row = undefined;
    } else if (row !== undefined) row.push(each);
    else if (mark !== ",") return undefined;
  }
  return rows;
}

function literalOf({ text, isText }: Token): string | null {
  return !isText && /^null$/i.test(text) ? null : text;
}

/** Only `title` and `status` count. They must be set to a text. */
function updated(tokens: readonly Token[], before: TodoList): TodoList | undefined {
  const where = indexOf(tokens, "where");
  const set = tokens.slice(indexOf(tokens, "set") + 1, where === -1 ? undefined : where);
  const change: JsonObject = {};
  for (const [at, { text, isText }] of set.entries()) {
    const column = text.toLowerCase();
    if (isText || (column !== "title" && column !== "status" && column !== "id")) continue;
    const [equals, value, next] = set.slice(at + 1, at + 4);
    const isAlone = next === undefined || next.text === ",";
    if (column === "id" || equals?.text !== "=" || !value?.isText || !isAlone) return undefined;
    change[column === "title" ? "content" : column] = value.text;
  }
  const ids = idsOf(tokens, before);
  if (ids?.some((id) => !before.some((todo) => todo.id === id))) return undefined;
  const rows = ids?.map((id) => ({ ...change, id }));
  return rows && mergeTodos(before, rows);
}

/** The rows that a statement means: all of them, or those with the given ids. Undefined if it chooses them in another way. */
function idsOf(tokens: readonly Token[], before: TodoList): string[] | undefined {
  const where = indexOf(tokens, "where");
  if (where === -1) return before.flatMap(({ id }) => id ?? []);
  const condition = tokens.slice(where);
  if (!byId.test(textOf(condition))) return undefined;
  return condition.filter(({ text, isText }) => isText || /^\d+$/.test(text)).map(({ text }) => text);
}

function indexOf(tokens: readonly Token[], word: string): number {
  return tokens.findIndex(({ text, isText }) => !isText && text.toLowerCase() === word);
}

/** The rows that a query returns: a Markdown table without escapes. Undefined if it cannot be read, or is not whole. */
function rowsOf(output: string): JsonObject[] | undefined {
  if (output === "Query returned 0 rows.") return [];
  const lines = output.split("\n").filter((line) => line.startsWith("| "));
  const [names, , ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  if (names === undefined || rows.length !== numberIn(output, /^(\d+) row\(s\) returned/)) return undefined;
  if (rows.some((row) => row.length !== names.length)) return undefined;
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
}
