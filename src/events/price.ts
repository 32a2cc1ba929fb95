/** What a million tokens of each class cost, in US dollars. */
export interface Price {
  input: number;
  output: number;
  /** Without one, tokens read from a cache cost what other input costs. */
  cacheRead?: number;
  /** Without one, tokens written to a cache cost what other input costs. */
  cacheWrite?: number;
  /** When the price was looked up, `2026-11-13`. */
  date?: string;
  /** Where: a program and its version, or a page. */
  source?: string;
}

/** A price, and the id of the model that it was found for. */
export interface ModelPrice extends Price {
  model: string;
}
