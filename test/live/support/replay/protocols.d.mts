/** What a person did with a line of a transcript. */
export type Action =
  | { do: "prompt"; text: string }
  | { do: "steer"; text: string }
  | { do: "interrupt" }
  | { do: "answer"; id: string };

export interface Entry {
  dir: "in" | "out" | "err" | "closed";
  line: string;
  kind?: string;
  id?: string | number;
  action?: Action;
  resumed?: string;
  answers?: string | number;
  asks?: string | number;
}

/** `joins`: a prompt during a turn joins it. */
export const protocols: Readonly<Record<string, { awaited: RegExp; joins?: true; strange?: object }>>;
export function protocolOf(folder: string): string | undefined;
export function readEntries(text: string, name: string): Entry[];
