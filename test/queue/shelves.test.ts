import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShelf } from "../../src/batch/queue/open-shelf.js";
import { redisFileLimit } from "../../src/batch/queue/redis-shelf.js";
import { BlobMissing, getFile, putFile, type Shelf } from "../../src/batch/queue/shelf.js";
import { type FakeS3, startFakeS3 } from "./support/fake-s3.js";
import { describeWithRedis, type RedisServer, startRedis } from "./support/redis-server.js";

const noRedis = new Redis({ lazyConnect: true });
const directory = mkdtempSync(join(tmpdir(), "harness-shelf-"));
afterAll(() => {
  noRedis.disconnect();
  rmSync(directory, { recursive: true, force: true });
});

/** Every shelf must do this. */
function behavesAsShelf(open: () => Shelf): void {
  const put = async (content: Buffer, name = "a.file") => {
    const path = join(directory, "put");
    writeFileSync(path, content);
    return putFile(open(), path, name);
  };
  const got = join(directory, "got");

  it.each([0, 1, 512 * 1024, 512 * 1024 + 1, 3_000_000])("gives back a file of %i bytes", async (size) => {
    const content = randomBytes(size);
    const blob = await put(content);
    expect(blob.bytes).toBe(size);
    await getFile(open(), blob, got);
    expect(readFileSync(got).equals(content)).toBe(true);
    expect(statSync(got).mode & 0o077).toBe(0);
    await open().remove(blob.name);
  });

  it("says that a file is missing, and whether it is there", async () => {
    const blob = await put(Buffer.from("x"));
    expect(await open().renew(blob)).toBe(true);
    await open().remove(blob.name);
    expect(await open().renew(blob)).toBe(false);
    await expect(getFile(open(), blob, got)).rejects.toBeInstanceOf(BlobMissing);
    await open().remove(blob.name);
  });

  it("a file that is not what was put there is refused", async () => {
    const blob = await put(Buffer.from("one"));
    await put(Buffer.from("two"));
    await expect(getFile(open(), blob, got)).rejects.toBeInstanceOf(BlobMissing);
    await open().remove(blob.name);
  });
}

describe("a directory", () => {
  const place = () => join(directory, "shelf");
  behavesAsShelf(() => openShelf(place(), noRedis));
  it("leaves nothing behind, and nobody else can read it", () => {
    expect(readdirSync(place())).toEqual([]);
    expect(statSync(place()).mode & 0o077).toBe(0);
  });
});

describe("an S3 server", () => {
  let s3: FakeS3;
  beforeAll(async () => {
    s3 = await startFakeS3();
  });
  afterAll(() => s3.close());
  behavesAsShelf(() => openShelf(s3.address, noRedis, s3.env));

  it("files are in the bucket, below the prefix", async () => {
    const path = join(directory, "put");
    writeFileSync(path, "x");
    const shelf = openShelf(s3.address, noRedis, s3.env);
    const blob = await putFile(shelf, path, "name");
    expect([...s3.objects.keys()]).toEqual(["/bucket/some/prefix/name"]);
    await shelf.remove(blob.name);
  });

  it("a refusal is an error with the server's code, and not a missing file", async () => {
    const shelf = openShelf(s3.address, noRedis, { ...s3.env, AWS_SECRET_ACCESS_KEY: "other" });
    const blob = { name: "x", hash: "0".repeat(64), bytes: 1 };
    await expect(shelf.get(blob, join(directory, "got"))).rejects.toThrow("403 (SignatureDoesNotMatch)");
  });

  it("needs credentials, and says which", () => {
    expect(() => openShelf(s3.address, noRedis, {})).toThrow("AWS_ACCESS_KEY_ID");
  });
});

describeWithRedis("Redis", () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
  });
  afterAll(() => server.close());
  behavesAsShelf(() => openShelf("redis", redis));

  it("everything expires", async () => {
    const path = join(directory, "put");
    writeFileSync(path, randomBytes(1_000_000));
    const shelf = openShelf("redis", redis);
    await putFile(shelf, path, "name");
    for (const key of await redis.keys("*")) expect(await redis.ttl(key)).toBeGreaterThan(0);
  });

  it("refuses a file that is too large, and says what to do", async () => {
    const path = join(directory, "put");
    writeFileSync(path, Buffer.alloc(redisFileLimit + 1));
    await expect(putFile(openShelf("redis", redis), path, "name")).rejects.toMatchObject({
      code: "too_large_for_shelf",
      message: expect.stringContaining("--shelf"),
    });
  });
});

it.each(["", "somewhere", "http://host", "s3://"])("refuses %j as the address of a shelf", (address) => {
  const env = { AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "y" };
  expect(() => openShelf(address, noRedis, env)).toThrowError(expect.objectContaining({ code: "bad_shelf" }));
});
