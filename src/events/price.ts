/** The price of a million tokens of each class, in US dollars. */
export interface Price {
  input: number;
  output: number;
  /** If absent, tokens read from a cache cost as much as other input. */
  cacheRead?: number;
  /** If absent, tokens written to a cache cost as much as other input. */
  cacheWrite?: number;
  /** When the price was looked up, `2026-11-13`. */
  date?: string;
  /** Where it was looked up: a program and its version, or a page. */
  source?: string;
}

/** A price, and the id of the model that it was found for. */
export interface ModelPrice extends Price {
  model: string;
}
