import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { badWorkspace } from "../../runs/changes/git.js";

/**
 * Reads the names in an archive and throws if one of them could be written outside of the directory that it is unpacked into. Only files,
 * directories and symbolic links are allowed, and nothing may be inside of a link.
 */
export async function refuseUnsafeArchive(path: string, { isZipped }: { isZipped: boolean }): Promise<void> {
  const seen = new Set<string>();
  const links = new Set<string>();
  for await (const { name, type } of readEntries(path, isZipped)) {
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    const problem =
      problemWith(name, type, parts, links) ?? (seen.has(parts.join("/")) ? "it is there twice" : undefined);
    if (problem !== undefined)
      throw badWorkspace(`the packed source is not unpacked: ${JSON.stringify(name)}: ${problem}`);
    seen.add(parts.join("/"));
    if (type === "2") links.add(parts.join("/"));
  }
}

const allowedTypes: ReadonlySet<string> = new Set(["0", "\0", "2", "5"]);

function problemWith(
  name: string,
  type: string,
  parts: readonly string[],
  links: ReadonlySet<string>,
): string | undefined {
  if (!allowedTypes.has(type)) return "it is not a file, a directory or a link";
  if (name.startsWith("/") || parts.includes("..")) return "it leads outside of the directory";
  const parents = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("/"));
  return parents.some((parent) => links.has(parent)) ? "it is inside of a link" : undefined;
}

interface ArchiveEntry {
  /** As bytes of Latin 1: names need not be UTF-8. */
  name: string;
  type: string;
}

const blockBytes = 512;
/** A name that needs more is not one. */
const maxNameBytes = 64 * 1024;

/** The entries of a tar archive: the old format, POSIX headers (`x`, `g`) and GNU's long names (`L`, `K`). */
async function* readEntries(path: string, isZipped: boolean): AsyncGenerator<ArchiveEntry> {
  const take = createTaker(path, isZipped);
  let longName: string | undefined;
  for (;;) {
    const header = await take(blockBytes);
    // The end is a block of zeros.
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(header[156] ?? 0);
    const size = sizeIn(header);
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x" || type === "g" || type === "L" || type === "K") {
      if (size > maxNameBytes) throw damaged();
      const content = (await take(padded))?.subarray(0, size) ?? Buffer.alloc(0);
      if (type === "L") longName = untilZero(content);
      if (type === "x") longName = pathOf(content) ?? longName;
      if (type === "g" && pathOf(content) !== undefined) throw damaged();
      continue;
    }
    yield { name: longName ?? nameIn(header), type };
    longName = undefined;
    for (let left = padded; left > 0; left -= chunkBytes) await take(Math.min(left, chunkBytes));
  }
}

const chunkBytes = 1024 * 1024;

/** Gives the bytes of a file in pieces of any size. Undefined at the end. */
function createTaker(path: string, isZipped: boolean): (count: number) => Promise<Buffer | undefined> {
  const file = createReadStream(path);
  const stream = isZipped ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => stream.destroy(error));
  const chunks = stream[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  return async (count) => {
    while (rest.length < count) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw badWorkspace(
          "the packed source cannot be read: it is damaged; it has to be packed again",
          cause,
        );
      });
      if (next.done) return undefined;
      rest = Buffer.concat([rest, next.value]);
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
}

function nameIn(header: Buffer): string {
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? untilZero(header.subarray(345, 500)) : "";
  const name = untilZero(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal digits, or GNU's binary form for sizes of 8 GiB and more. */
function sizeIn(header: Buffer): number {
  const field = header.subarray(124, 136);
  const isBinary = ((field[0] ?? 0) & 0x80) !== 0;
  const size = isBinary ? field.readUIntBE(6, 6) : Number.parseInt(untilZero(field).trim() || "0", 8);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged();
  return size;
}

/** The `path` of POSIX headers: `30 path=…\n`, where the number is the length of the whole. */
function pathOf(content: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(" ", at);
    const length = Number(content.toString("latin1", at, space));
    if (space === -1 || !Number.isInteger(length) || length <= 0) throw damaged();
    const record = content.toString("latin1", space + 1, at + length - 1);
    if (record.startsWith("path=")) path = record.slice("path=".length);
    // A size of its own would make us and tar see different entries.
    if (record.startsWith("size=")) throw damaged();
    at += length;
  }
  return path;
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
}

function damaged(): Error {
  return badWorkspace("the packed source is not unpacked: it is damaged; it has to be packed again");
}
