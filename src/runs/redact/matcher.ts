/** What is known of a place where a secret may begin. */
export type Finding =
  /** There is none. */
  | undefined
  /** More text is needed to tell. It would be masked from `from` on. */
  | { isSure: false; from: number }
  /** From `from` up to `to`. `rest` tells how far it goes on, when it reached the end of the text. */
  | { isSure: true; from: number; to: number; kind: string; rest?: Rest };

/** Follows a secret that has no fixed end. */
export interface Rest {
  /** How far it goes from `at` on, and whether that is where it ends. Without `isLast` more text may follow. */
  follow(text: string, at: number, isLast: boolean): { to: number; isOver: boolean };
}

/** Recognises one kind of secret. It looks at each character a bounded number of times, whatever the text is. */
export interface Matcher {
  /** Every secret of this kind begins with one of these; two characters or more each. */
  anchors: readonly string[];
  /** Capital and small letters of the anchors are the same. */
  ignoresCase: boolean;
  /** The anchor is no part of what is masked. */
  isAnchorKept?: boolean;
  /** Whether it may begin there, as far as what stands before tells. Left out: anywhere. */
  canBegin?(text: string, at: number): boolean;
  /** What is at `at`, where one of the anchors stands. `isLast`: no more text will come. */
  match(text: string, at: number, isLast: boolean): Finding;
  /** Before each text. */
  reset?(): void;
}
