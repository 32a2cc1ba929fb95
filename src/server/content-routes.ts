import type { Context, Hono } from "hono";
import { HarnessError, systemCode } from "../errors.js";
import type { Recording } from "../runs/archive/recording.js";
import { openRegularFile } from "../runs/files/regular-file.js";
import type { RawFound } from "./protocol.js";
import type { RawReader } from "./raw-lines.js";

/** A recorder writes less. The rest of a larger file is left out. */
const largestPatch = 32 * 1024 * 1024;

/** Long contents of one recording: what it changed, and where a text is in its raw lines. */
export function addContentRoutes(
  api: Hono,
  { recordingOf, raw }: { recordingOf(context: Context): Recording; raw: RawReader },
): void {
  api.get("/runs/:id/changes", async (context) => {
    const text = await readChanges(recordingOf(context).paths.patch);
    return context.body(text, 200, { "content-type": "text/plain; charset=utf-8" });
  });

  api.get("/runs/:id/raw-search", async (context) => {
    const { text = "", from = "1" } = context.req.query();
    if (text === "" || !/^\d{1,12}$/.test(from))
      throw new HarnessError("bad_request", "`text` must not be empty, and `from` must be a number");
    const line = await raw.search(recordingOf(context).paths.raw, text, Number(from), context.req.raw.signal);
    return context.json({ ...(line !== undefined && { line }) } satisfies RawFound);
  });
}

/** The patch of a recording. Throws `no_changes` if there is none. */
export async function readChanges(path: string): Promise<ArrayBuffer> {
  const file = await openRegularFile(path).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
    throw new HarnessError(
      "no_changes",
      "the recording has no changes.patch: it is written for runs in a git repository, when they end",
    );
  });
  try {
    const { size } = await file.stat();
    const bytes = new ArrayBuffer(Math.min(size, largestPatch));
    const { bytesRead } = await file.read(new Uint8Array(bytes), 0, bytes.byteLength, 0);
    return bytes.slice(0, bytesRead);
  } finally {
    await file.close();
  }
}
