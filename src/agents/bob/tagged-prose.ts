/** A part of what Bob 1.x prints as assistant text. */
export interface ProsePart {
  kind: "text" | "thinking" | "echo";
  text: string;
}

/**
 * Separates the parts of what Bob 1.x says. Its text holds reasoning between `<thinking>` and `</thinking>`, and
 * echoes of tool calls as `[using tool …]`. Pieces can end anywhere, even inside a tag. The end of a piece that
 * may be the start of a tag is held until the next piece.
 */
export interface TaggedProse {
  take(piece: string): ProsePart[];
  /** Nothing more comes: the held text is not a tag. */
  end(): ProsePart[];
}

const tags = {
  text: { "<thinking>": "thinking", "[using tool ": "echo" },
  thinking: { "</thinking>": "text", "[using tool ": "echo" },
  echo: { "]": "text" },
} as const;

type Mode = keyof typeof tags;

export function createTaggedProse(): TaggedProse {
  let mode: Mode = "text";
  /** The mode to return to after an echo. */
  let before: Mode = "text";
  let held = "";

  function enter(next: Mode): void {
    if (next === "echo") before = mode;
    mode = mode === "echo" ? before : next;
  }

  function take(piece: string): ProsePart[] {
    const parts: ProsePart[] = [];
    let rest = held + piece;
    for (let found = nextTag(rest, mode); found !== undefined; found = nextTag(rest, mode)) {
      add(parts, mode, rest.slice(0, found.at));
      rest = rest.slice(found.at + found.tag.length);
      enter(found.next);
    }
    held = rest.slice(rest.length - heldLength(rest, mode));
    add(parts, mode, rest.slice(0, rest.length - held.length));
    return parts;
  }

  return {
    take,
    end() {
      const parts: ProsePart[] = [];
      add(parts, mode, held);
      held = "";
      mode = "text";
      return parts;
    },
  };
}

function add(parts: ProsePart[], kind: Mode, text: string): void {
  if (text !== "") parts.push({ kind, text });
}

/** The first tag that changes the mode. */
function nextTag(text: string, mode: Mode): { at: number; tag: string; next: Mode } | undefined {
  let first: { at: number; tag: string; next: Mode } | undefined;
  for (const [tag, next] of Object.entries<Mode>(tags[mode])) {
    const at = text.indexOf(tag);
    if (at !== -1 && (first === undefined || at < first.at)) first = { at, tag, next };
  }
  return first;
}

/** How many characters at the end of the text may be the start of a tag. */
function heldLength(text: string, mode: Mode): number {
  const candidates = Object.keys(tags[mode]);
  const longest = Math.max(...candidates.map((tag) => tag.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (candidates.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}
