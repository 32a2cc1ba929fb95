import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { HarnessError } from "../../src/errors.js";
import { isFresh, isInForce, readCachedRegistry, registryPath } from "../../src/models/cached-registry.js";
import { refreshRegistry } from "../../src/models/refresh-registry.js";
import { type UpdateOptions, updateRegistry } from "../../src/models/update-registry.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { nowhere, registryText, serve } from "./registry-server.js";

const oldText = '[models.old]\nclaude = "old"\n';

function keptRegistry(): string {
  const path = join(temporaryDirectory(), "harness", "models.toml");
  mkdirSync(dirname(path));
  writeFileSync(path, oldText);
  return path;
}

async function failureOf(options: UpdateOptions): Promise<{ code: string; message: string }> {
  const error: unknown = await updateRegistry(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HarnessError)) throw new Error(`not refused, but: ${String(error)}`);
  return error;
}

describe("updating the registry", () => {
  it("saves what it fetched, readable by its owner only, with its origin and time", async () => {
    const url = await serve((request, response) =>
      response.end(request.url === "/models.toml" ? registryText : ""),
    );
    const path = join(temporaryDirectory(), "cache", "harness", "models.toml");
    await updateRegistry({ url, path });
    const kept = readCachedRegistry(path);
    expect(kept?.models.get("quick")?.ids.get("codex")).toBe("gpt-6-luna");
    expect(kept?.fetchedFrom).toBe(url);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(["models.toml"]);
  });

  it("follows a redirect, and stores the original address", async () => {
    const address = await serve((request, response) => {
      if (request.url === "/moved.toml") response.end(registryText);
      else response.writeHead(302, { location: "/moved.toml" }).end();
    });
    const url = `${address}?key=${"k".repeat(2000)}`;
    const path = keptRegistry();
    await updateRegistry({ url, path });
    expect(readCachedRegistry(path)).toMatchObject({ fetchedFrom: url });
  });

  const answers: [string, RequestListener, string, RegExp][] = [
    [
      "404",
      (_, response) => response.writeHead(404).end("gone"),
      "registry_refused",
      /answered 404 Not Found$/,
    ],
    ["500", (_, response) => response.writeHead(500).end(registryText), "registry_refused", /answered 500/],
    [
      "garbage",
      (_, response) => response.end(Buffer.from([0xff, 0, 0x80])),
      "registry_refused",
      /did not send valid UTF-8 text$/,
    ],
    [
      "a page",
      (_, response) => response.end("<html>Sign in</html>"),
      "invalid_registry",
      /it is HTML, not TOML$/,
    ],
    ["no models", (_, response) => response.end("a = 1"), "invalid_registry", /has no \[models\.NAME\]$/],
    ["nothing", (_, response) => response.end(), "invalid_registry", /has no \[models\.NAME\]$/],
    [
      "half a file",
      (_, response) => {
        response.writeHead(200, { "content-length": registryText.length });
        response.write(registryText.slice(0, 20), () => response.destroy());
      },
      "registry_refused",
      /broke off its answer/,
    ],
    [
      "half a file, in chunks",
      (_, response) => {
        response.write(registryText, () => response.destroy());
      },
      "registry_refused",
      /broke off its answer/,
    ],
    [
      "half a file that is torn in a word",
      (_, response) => response.end(registryText.slice(0, -5)),
      "invalid_registry",
      /not valid TOML: line 3/,
    ],
    [
      "a redirect to itself",
      (_, response) => response.writeHead(302, { location: "/models.toml" }).end(),
      "registry_refused",
      /redirects too often: redirect count exceeded$/,
    ],
  ];

  it.each(answers)("keeps the old one if the answer is %s", async (_title, listener, code, message) => {
    const path = keptRegistry();
    const failure = await failureOf({ url: await serve(listener), path });
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(readFileSync(path, "utf8")).toBe(oldText);
    expect(readdirSync(dirname(path))).toEqual(["models.toml"]);
  });

  it.each<[string, RequestListener]>([
    ["plain", (_, response) => response.end(`${registryText}#${"x".repeat(2000)}`)],
    [
      "compressed",
      (_, response) => {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync(`${registryText}#${"x".repeat(1_000_000)}`));
      },
    ],
    [
      "endless",
      (_, response) => {
        const more = () => response.write("#".repeat(500)) && setImmediate(more);
        response.on("drain", more);
        more();
      },
    ],
  ])("stops reading at the size limit (%s)", async (_title, listener) => {
    const path = keptRegistry();
    const failure = await failureOf({ url: await serve(listener), path, maxBytes: 1000 });
    expect(failure).toMatchObject({ code: "registry_refused" });
    expect(failure.message).toMatch(/more than 1000 bytes/);
    expect(readFileSync(path, "utf8")).toBe(oldText);
  });

  it("gives up on a server that does not answer, and on one that stops midway", async () => {
    const path = keptRegistry();
    const silent = await serve(() => undefined);
    expect(await failureOf({ url: silent, path, timeoutMs: 50 })).toMatchObject({
      code: "registry_unreachable",
      message: expect.stringMatching(/^cannot reach http:.*models\.toml: no answer within 0\.05 s$/),
    });
    const halting = await serve((_, response) => response.write(registryText));
    expect(await failureOf({ url: halting, path, timeoutMs: 1000 })).toMatchObject({
      code: "registry_refused",
      message: expect.stringMatching(/broke off its answer: no answer within 1 s$/),
    });
    expect(readFileSync(path, "utf8")).toBe(oldText);
  });

  it("reports that no server listens, and why", async () => {
    const failure = await failureOf({ url: await nowhere(), path: keptRegistry() });
    expect(failure).toMatchObject({
      code: "registry_unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("never shows the query of an address, and refuses one with a password", async () => {
    const url = `${await nowhere()}?key=hush-hush`;
    expect((await failureOf({ url, path: keptRegistry() })).message).not.toContain("hush-hush");
    for (const bad of ["http://me:hush-hush@127.0.0.1:1/", "file:///etc/passwd", "nonsense"]) {
      const failure = await failureOf({ url: bad, path: keptRegistry() });
      expect(failure.code).toBe("bad_models_url");
      expect(failure.message).not.toContain("hush-hush");
    }
  });

  it("reports that the file cannot be written", async () => {
    const blocked = join(temporaryDirectory(), "file");
    writeFileSync(blocked, "");
    const url = await serve((_, response) => response.end(registryText));
    const failure = await failureOf({ url, path: join(blocked, "harness", "models.toml") });
    expect(failure.code).toBe("unwritable_registry");
  });
});

describe("the saved registry", () => {
  const day = 24 * 60 * 60 * 1000;
  const fetchedAt = "2026-11-15T20:00:00.000Z";
  const registry = { models: new Map(), fetchedFrom: "http://a/", fetchedAt };
  const at = Date.parse(fetchedAt);

  it("is fresh for a day, and only for its own address", () => {
    expect(isFresh(registry, "http://a/", at)).toBe(true);
    expect(isFresh(registry, "http://a/", at + day - 1)).toBe(true);
    expect(isFresh(registry, "http://a/", at + day)).toBe(false);
    expect(isFresh(registry, "http://a/", at - 1)).toBe(false);
    expect(isFresh(registry, "http://b/", at)).toBe(false);
    expect(isFresh({ models: new Map() }, "http://a/", at)).toBe(false);
  });

  it("applies where its address is the configured one; one made by hand applies everywhere", () => {
    expect(isInForce(registry, "http://a/")).toBe(true);
    expect(isInForce(registry, "http://b/")).toBe(false);
    expect(isInForce(registry, undefined)).toBe(false);
    expect(isInForce({ models: new Map() }, undefined)).toBe(true);
  });

  it("is in the cache directory", () => {
    expect(registryPath({ XDG_CACHE_HOME: "/c" })).toBe("/c/harness/models.toml");
    expect(registryPath({ HOME: "/h" })).toBe("/h/.cache/harness/models.toml");
    expect(registryPath({ HOME: "/h", XDG_CACHE_HOME: "relative" })).toBe("/h/.cache/harness/models.toml");
  });

  it("is fetched again during a run if it is old, and only then", async () => {
    const path = keptRegistry();
    let requests = 0;
    let asked: (() => void) | undefined;
    const request = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serve(() => {
      requests += 1;
      asked?.();
    });
    const fresh = { models: new Map(), fetchedFrom: url, fetchedAt: new Date().toISOString() };
    refreshRegistry({ path, url, found: fresh });
    refreshRegistry({ path });
    const refresh = refreshRegistry({
      path,
      url,
      found: { ...fresh, fetchedAt: "2026-01-01T00:00:00.000Z" },
    });
    await request;
    refresh.stop();
    expect(requests).toBe(1);
    expect(readFileSync(path, "utf8")).toBe(oldText);
  });
});
