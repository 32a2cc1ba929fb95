/** What a matcher found at a position. */
export type Finding =
  /** There is no secret. */
  | undefined
  /** More text is needed to decide. If it is a secret, it is masked from `from` on. */
  | { isSure: false; from: number }
  /** A secret from `from` to `to`. `rest` follows it if it reaches the end of the text so far. */
  | { isSure: true; from: number; to: number; kind: string; rest?: Rest };

/** Follows a secret that has no fixed end. */
export interface Rest {
  /** How far the secret continues from `at` on, and whether it ends there. `isLast`: no more text will come. */
  follow(text: string, at: number, isLast: boolean): { to: number; isOver: boolean };
}

/** Recognises one kind of secret. It visits each character a bounded number of times, whatever the text is. */
export interface Matcher {
  /** Every secret of this kind begins with one of these. Each has at least two characters. */
  anchors: readonly string[];
  /** True: anchors match in upper and lower case. */
  ignoresCase: boolean;
  /** True: the anchor itself is not masked. */
  isAnchorKept?: boolean;
  /** Whether a secret may begin at `at`, judging by the text before it. Default: anywhere. */
  canBegin?(text: string, at: number): boolean;
  /** Called where an anchor was found. `isLast`: no more text will come. */
  match(text: string, at: number, isLast: boolean): Finding;
  /** Called before each text. */
  reset?(): void;
}
