/**
 * A JSON number that no `number` can hold: 12345678901234567890, 1e999. It is a `Number` object, so one can calculate with it
 * (as the nearest `number`), and `String(it)` is its original spelling. All JSON text that harness writes has that spelling.
 */
export class ExactNumber extends Number {
  readonly #spelling: string;

  constructor(spelling: string) {
    super(spelling);
    prepare();
    this.#spelling = spelling;
    hasAny = true;
  }

  override toString(): string {
    return this.#spelling;
  }

  /** For `JSON.stringify` elsewhere: exact if the runtime has `JSON.rawJSON`, else the nearest number. */
  toJSON(): unknown {
    if (isWriting) return mark + this.#spelling;
    return rawJson === undefined ? this.valueOf() : rawJson(this.#spelling);
  }
}

/** A random prefix: no text of an agent can pass for a number. It is made when the first number needs it. */
let mark = "";
let marked = /^$/g;
let hasAny = false;
let isWriting = false;

function prepare(): void {
  if (mark !== "") return;
  mark = `exact ${crypto.getRandomValues(new Uint32Array(4)).join("-")} `;
  marked = new RegExp(`"${mark}([-+.\\deE]+)"`, "g");
}

/** `JSON.stringify`, with exact numbers in their original spelling. */
export function stringifyExact(value: unknown, indent?: number): string {
  if (!hasAny || isWriting) return JSON.stringify(value, null, indent);
  isWriting = true;
  try {
    const text = JSON.stringify(value, null, indent);
    return text?.includes(mark) ? text.replace(marked, "$1") : text;
  } finally {
    isWriting = false;
  }
}

const rawJson = findRawJson();

/** Node has it from version 22 on, and browsers do. */
function findRawJson(): ((text: string) => unknown) | undefined {
  const found: unknown = Reflect.get(JSON, "rawJSON");
  return typeof found === "function" ? (text) => Reflect.apply(found, JSON, [text]) : undefined;
}

/** A string that stands for an exact number while a text is parsed. */
export function toMark(spelling: string): string {
  prepare();
  return JSON.stringify(mark + spelling);
}

/** A reviver for `JSON.parse`: restores the numbers that `toMark` has hidden. */
export function fromMark(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith(mark)
    ? new ExactNumber(value.slice(mark.length))
    : value;
}
