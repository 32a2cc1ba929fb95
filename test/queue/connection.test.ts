import { readdirSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { connectQueue, describeUrl } from "../../src/batch/queue/connection.js";
import { makePlaces, runOnQueue } from "./support/batches.js";
import { describeWithRedis, freePort, startRedis } from "./support/redis-server.js";

it.each(["localhost:6379", "http://localhost", "redis:/x", ""])("refuses %j as an address", (url) => {
  expect(() => describeUrl(url)).toThrowError(expect.objectContaining({ code: "bad_queue_url" }));
});

it.each([
  ["redis://:secret@host", "redis://host:6379"],
  ["rediss://user:secret@host:7000/2", "rediss://host:7000/2"],
  ["valkey://host", "valkey://host:6379"],
])("never shows the password of %j", (url, shown) => {
  expect(describeUrl(url)).toBe(shown);
});

it("a server that is not there is an error before anything starts, without the password", async () => {
  const url = `redis://:secret@127.0.0.1:${await freePort()}`;
  const error = await connectQueue({ url, onNotice: () => {}, timeoutMs: 300 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "queue_unreachable" });
  expect(String(error)).toContain("ECONNREFUSED");
  expect(String(error)).not.toContain("secret");
});

it("without the packages of the queue, says how to install them", async () => {
  vi.resetModules();
  vi.doMock("bullmq", () => {
    throw new Error("Cannot find package 'bullmq'");
  });
  const { connectQueue: connect } = await import("../../src/batch/queue/connection.js");
  await expect(connect({ url: "redis://127.0.0.1:1", onNotice: () => {} })).rejects.toMatchObject({
    code: "missing_package",
    message: expect.stringContaining("npm install bullmq ioredis"),
  });
  vi.doUnmock("bullmq");
});

describeWithRedis("a server with a password", () => {
  it("is used with it, and is an error without it or with another one", async () => {
    const server = await startRedis({ password: "secret" });
    const connection = await connectQueue({ url: server.url, onNotice: () => {} });
    expect(connection.isUp()).toBe(true);
    connection.close();
    for (const url of [`redis://127.0.0.1:${server.port}`, `redis://:wrong@127.0.0.1:${server.port}`]) {
      const error = await connectQueue({ url, onNotice: () => {}, timeoutMs: 1000 }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: "queue_unreachable" });
      expect(String(error)).not.toContain("wrong@");
    }
    await server.close();
  });

  it("a batch without a server leaves nothing behind", async () => {
    const places = makePlaces();
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expect(runOnQueue(url, {}, places)).rejects.toMatchObject({ code: "queue_unreachable" });
    expect(readdirSync(places.batchesDirectory)).toEqual([]);
    places.remove();
  });
});
