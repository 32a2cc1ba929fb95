import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openHistory } from "../../../src/cli/chat/history.js";
import { createHistorySearch, type HistorySearch } from "../../../src/cli/chat/history-search.js";
import { createPasteReader, type Input } from "../../../src/cli/chat/paste.js";
import { layOutPrompt } from "../../../src/cli/chat/prompt-rows.js";
import { createChatScreen } from "../../../src/cli/chat/screen.js";
import { widthOf } from "../../../src/outputs/text/width.js";
import { createScreen } from "../../outputs/text/screen.js";
import { temporaryDirectory } from "../harness.js";

const typed = fc.string({ unit: fc.constantFrom("a", " ", "你", "é", "👩‍👩‍👧", "\n", "\t"), maxLength: 60 });

/** The terminal of the tests does not join what is joined by invisible characters. */
const narrow = fc.string({ unit: fc.constantFrom("a", " ", "你", "é", "\n", "\t"), maxLength: 60 });

describe("the line that is being typed", () => {
  it("fits into its columns, and the cursor stands behind what is before it", () => {
    fc.assert(
      fc.property(typed, fc.integer({ min: 6, max: 40 }), (text, columns) => {
        const { rows, cursor } = layOutPrompt({
          text,
          cursor: text.length,
          mark: "> ",
          placeholder: "",
          columns,
          maxRows: 100,
        });
        const texts = rows.map((row) => row.map((segment) => segment.text).join(""));
        for (const row of texts) expect(widthOf(row)).toBeLessThan(columns);
        expect(cursor.row).toBe(rows.length - 1);
        expect(cursor.column).toBe(Math.max(2, widthOf(texts.at(-1) ?? "")));
      }),
    );
  });

  it("shows the rows around the cursor if there are too many, however long the text is", () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `row ${index}`).join("\n");
    const cursor = text.indexOf("row 5000");
    const { rows } = layOutPrompt({ text, cursor, mark: "> ", placeholder: "", columns: 40, maxRows: 5 });
    expect(rows.map((row) => row[1]?.text)).toEqual([
      "row 4998",
      "row 4999",
      "row 5000",
      "row 5001",
      "row 5002",
    ]);
  });

  it("is never torn by the rows that come above it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("one", "two", "x".repeat(30)), narrow), { maxLength: 8 }),
        (steps) => {
          const terminal = createScreen(20);
          const screen = createChatScreen(20, true);
          const finished: string[] = [];
          for (const [row, text] of steps) {
            const live = layOutPrompt({
              text,
              cursor: 0,
              mark: "> ",
              placeholder: "…",
              columns: 20,
              maxRows: 9,
            });
            terminal.write(screen.draw([[{ text: row }]], live));
            finished.push(...(row.match(/.{1,20}/g) ?? []));
            const shown = live.rows.map((line) =>
              line
                .map((segment) => segment.text)
                .join("")
                .trimEnd(),
            );
            expect(terminal.rows).toEqual([...finished, ...shown]);
            expect(terminal.cursor).toEqual({
              row: finished.length + live.cursor.row,
              column: live.cursor.column,
            });
          }
          terminal.write(screen.clear());
          expect(terminal.rows.filter((row) => row !== "")).toEqual(finished);
        },
      ),
    );
  });
});

describe("what is pasted", () => {
  it("is kept apart from keys, however it arrives", () => {
    const sent = "a\u001b[A\u001b[200~one\rtwo\u001b[201~b\u001b[200~\u001b[201~\u001b";
    fc.assert(
      fc.property(fc.array(fc.nat(sent.length)), (cuts) => {
        const reader = createPasteReader();
        const found: Input[] = [];
        const at = [0, ...cuts.toSorted((one, other) => one - other), sent.length];
        for (let index = 1; index < at.length; index++)
          found.push(...reader.push(sent.slice(at[index - 1], at[index])));
        // A mark that is cut within its first two bytes looks like keys: terminals do not send it so.
        if (cuts.some((cut) => /\u001b\[?$/.test(sent.slice(0, cut)) && cut < sent.length)) return;
        expect(found.map((input) => ("keys" in input ? input.keys : "|")).join("")).toBe("a\u001b[A|b\u001b");
        expect(found).toContainEqual({ pasted: "one\rtwo" });
      }),
    );
  });
});

describe("the search in the history", () => {
  const opened = () => createHistorySearch(() => ["fix the Cart", "list tests", "fix the list"]);
  const type = (search: HistorySearch, text: string) => {
    for (const letter of text) search.key(letter, { name: letter });
  };

  it("finds the newest, then older ones, and gives what was found", () => {
    const search = opened();
    search.next();
    expect(search).toMatchObject({ query: "", found: "" });
    type(search, "list");
    expect(search.found).toBe("list tests");
    search.next();
    expect(search.found).toBe("fix the list");
    search.next();
    expect(search.found).toBe("fix the list");
    expect(search.key("\r", { name: "return" })).toBe("taken");
    expect(search.query).toBeUndefined();
  });

  it("ignores case, takes letters back, and is left by Esc and Ctrl-C", () => {
    const search = opened();
    search.next();
    type(search, "cartx");
    expect(search.found).toBe("");
    search.key(undefined, { name: "backspace" });
    expect(search.found).toBe("fix the Cart");
    expect(search.key(undefined, { name: "escape" })).toBe("left");
    search.next();
    expect(search.key("\u0003", { name: "c", ctrl: true })).toBe("left");
  });
});

describe("the history", () => {
  it("is kept for the user only, newest first, without what is damaged", () => {
    const directory = join(temporaryDirectory(), "harness");
    const history = openHistory(directory);
    for (const text of ["one", "two\nlines", "one", " ", "x".repeat(5000)]) history.add(text);
    const path = join(directory, "chat-history.jsonl");
    expect(readFileSync(path, "utf8")).toBe('"two\\nlines"\n"one"\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, 'nonsense\n{"a":1}\n"kept"\n');
    expect(openHistory(directory).entries).toEqual(["kept"]);
    writeFileSync(path, Array.from({ length: 600 }, (_, count) => `"entry ${count}"\n`).join(""));
    history.add("newest");
    expect(openHistory(directory).entries).toHaveLength(500);
    expect(openHistory(directory).entries.slice(0, 2)).toEqual(["newest", "entry 599"]);
  });

  it("that cannot be written does not disturb", () => {
    const file = join(temporaryDirectory(), "file");
    mkdirSync(file);
    writeFileSync(join(file, "harness"), "");
    const history = openHistory(join(file, "harness"));
    history.add("one");
    expect(history.entries).toEqual(["one"]);
  });
});
