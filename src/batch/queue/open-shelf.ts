import type { Redis } from "ioredis";
import { HarnessError } from "../../errors.js";
import { createDirectoryShelf } from "./directory-shelf.js";
import { createRedisShelf, redisAddress } from "./redis-shelf.js";
import { createS3Shelf } from "./s3-shelf.js";
import type { Shelf } from "./shelf.js";

/**
 * `redis`, the default: the same server as the queue. A path, or `file:///path`: a directory that every machine has.
 * `s3://BUCKET/PREFIX`, with `?endpoint=https://HOST&region=NAME` for a server other than Amazon's.
 */
export function openShelf(address: string, redis: Redis, env: NodeJS.ProcessEnv = process.env): Shelf {
  if (address === redisAddress) return createRedisShelf(redis);
  if (address.startsWith("s3://")) return createS3Shelf(address, env);
  if (address.startsWith("file://") || address.startsWith("/")) return createDirectoryShelf(address);
  throw new HarnessError(
    "bad_shelf",
    "a shelf is redis, the absolute path of a directory that every machine has, or s3://BUCKET/PREFIX",
  );
}
