/** A part of what Bob 1.x prints as assistant text. */
export interface ProsePart {
  kind: "text" | "thinking" | "echo";
  text: string;
}

/**
 * Bob 1.x writes reasoning between `<thinking>` and `</thinking>`, and the echo of a tool call as
 * `[using tool …]`, both inside its text, cut into pieces at any character. What may be the beginning of a
 * tag is held until the next piece decides.
 */
export interface TaggedProse {
  take(piece: string): ProsePart[];
  /** Nothing more comes: what is held is what it looks like. */
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
  /** Where an echo leads back to. */
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

/** The first tag that ends or interrupts what is being said. */
function nextTag(text: string, mode: Mode): { at: number; tag: string; next: Mode } | undefined {
  let first: { at: number; tag: string; next: Mode } | undefined;
  for (const [tag, next] of Object.entries<Mode>(tags[mode])) {
    const at = text.indexOf(tag);
    if (at !== -1 && (first === undefined || at < first.at)) first = { at, tag, next };
  }
  return first;
}

/** How much of the end of a text may be the beginning of a tag. */
function heldLength(text: string, mode: Mode): number {
  const candidates = Object.keys(tags[mode]);
  const longest = Math.max(...candidates.map((tag) => tag.length - 1));
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (candidates.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}
