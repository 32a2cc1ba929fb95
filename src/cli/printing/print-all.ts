import type { Piece } from "../../outputs/contract.js";
import type { PrintTarget } from "../output.js";

/** Long enough to be worth a system call, short enough for the young generation of the heap. */
const fullFrom = 64 * 1024;

/** Prints many pieces in few writes, and never holds more than a part of a long one. */
export async function printAll(output: PrintTarget, printed: Iterable<Piece>): Promise<void> {
  let gathered = "";

  function flush(): Promise<void> | undefined {
    const text = gathered;
    gathered = "";
    return output.write(text);
  }

  for (const piece of printed) {
    if (typeof piece === "string") gathered += piece;
    else if (piece instanceof Uint8Array) {
      await flush();
      await output.write(piece);
    } else if (output.writeWhole !== undefined) {
      await flush();
      output.writeWhole(piece.pieces);
    } else {
      for (const part of piece.pieces) {
        gathered += part;
        if (gathered.length >= fullFrom) await flush();
      }
    }
  }
  await flush();
}
