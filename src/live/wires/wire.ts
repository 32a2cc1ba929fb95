/** Carries the lines of a protocol between us and one agent. */
export interface Wire {
  /** Sends a line. The line feed is added where the wire needs one. */
  send(line: string): void;
  setPaused(isPaused: boolean): void;
  /** Nothing more will be sent. */
  end(): void;
}
