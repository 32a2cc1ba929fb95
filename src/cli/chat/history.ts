import { join } from "node:path";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { readRegularFile } from "../../runs/files/regular-file.js";
import { userDirectory } from "../../runs/files/user-directory.js";
import { writeAtomically } from "../../runs/files/write-atomically.js";

/** What was typed in chats, newest first. */
export interface ChatHistory {
  readonly entries: readonly string[];
  /** Keeps a text, unless it is the newest one already. A disk that refuses is no reason to disturb the chat. */
  add(text: string): void;
}

const maxEntries = 500;
/** A longer text is a pasted document: it is not kept. */
const maxCharacters = 4000;

/** Kept in the user's own data directory, readable by the user only, one JSON string on each line. */
export function openHistory(directory = userDirectory("data", process.env)): ChatHistory {
  const path = join(directory, "chat-history.jsonl");
  let entries = read(path);
  return {
    get entries() {
      return entries;
    },
    add(text) {
      if (text.trim() === "" || text.length > maxCharacters) return;
      // Another chat may have added to it meanwhile.
      entries = [text, ...read(path).filter((entry) => entry !== text)].slice(0, maxEntries);
      try {
        makeDirectories(directory);
        writeAtomically(
          path,
          [...entries]
            .reverse()
            .map((entry) => `${JSON.stringify(entry)}\n`)
            .join(""),
        );
      } catch {
        // It is still there for this chat.
      }
    },
  };
}

function read(path: string): string[] {
  try {
    return readRegularFile(path).split("\n").flatMap(parse).reverse().slice(0, maxEntries);
  } catch {
    return [];
  }
}

function parse(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? [value] : [];
  } catch {
    return [];
  }
}
