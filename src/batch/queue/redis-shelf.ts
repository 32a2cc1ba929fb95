import { type FileHandle, open } from "node:fs/promises";
import type { Redis } from "ioredis";
import { ownerOnly } from "../../runs/files/open-file.js";
import { keptSeconds, keys } from "./protocol.js";
import { type Blob, BlobMissing, type Shelf } from "./shelf.js";

/** The address of this shelf. */
export const redisAddress = "redis";

const chunkBytes = 512 * 1024;

/** Everything in Redis is in memory: this is a limit for one file, as it lies there. */
export const redisFileLimit = 64 * 1024 * 1024;

/** The server of the queue itself, in chunks. They expire. */
export function createRedisShelf(redis: Redis): Shelf {
  return {
    address: redisAddress,
    maxBytes: redisFileLimit,
    put: (path, blob) => putChunks(redis, path, blob),
    get: (blob, path) => getChunks(redis, blob, path),
    async renew(blob) {
      const renewing = redis.pipeline();
      for (const key of chunkKeys(blob)) renewing.expire(key, keptSeconds);
      const replies = await renewing.exec();
      return replies?.every(([, isThere]) => isThere === 1) ?? false;
    },
    async remove(name) {
      for (let index = 0; (await redis.unlink(keys.chunk(name, index))) === 1; ) index++;
    },
  };
}

/** An empty file has one empty chunk. */
function chunkKeys({ name, bytes }: Blob): string[] {
  const count = Math.max(1, Math.ceil(bytes / chunkBytes));
  return Array.from({ length: count }, (_, index) => keys.chunk(name, index));
}

async function putChunks(redis: Redis, path: string, blob: Blob): Promise<void> {
  const file = await open(path);
  try {
    for (const key of chunkKeys(blob)) await redis.set(key, await readChunk(file), "EX", keptSeconds);
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(chunkBytes);
  let length = 0;
  while (length < chunkBytes) {
    const { bytesRead } = await file.read(buffer, length, chunkBytes - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function getChunks(redis: Redis, blob: Blob, path: string): Promise<void> {
  if (blob.bytes > redisFileLimit) throw new BlobMissing(`${blob.name} is too large for this shelf`);
  const file = await open(path, "w", ownerOnly);
  try {
    for (const key of chunkKeys(blob)) {
      const chunk = await redis.getBuffer(key);
      if (chunk === null) throw new BlobMissing(`${key} does not exist in Redis`);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
}
