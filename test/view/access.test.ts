import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/recording/index.js";
import { isSigned, readCookieKey, signCookie } from "../../src/view/cookie-key.js";
import { allowedHosts, nameOfHost } from "../../src/view/host-names.js";
import { createOnceTokens } from "../../src/view/once-tokens.js";
import { ask, messages, record, type TestView, temporaryDirectory, view } from "./support.js";

describe("who is let in", () => {
  it("nobody without the token, whatever they ask for", async () => {
    const server = await view();
    const id = await record(server.directory, "claude", "text");
    for (const path of [
      "/",
      "/assets/a.js",
      "/api/runs",
      "/api/live",
      `/api/runs/${id}/stream`,
      "/api/agents",
    ]) {
      const answer = await ask(server, path);
      expect(answer.status, path).toBe(401);
      expect(answer.text).not.toContain("<!doctype");
      expect(answer.text).not.toContain(id);
    }
    const started = await ask(server, "/api/runs", { method: "POST", body: "{}" });
    expect(started.status).toBe(401);
  });

  it("the token in the address becomes a cookie that scripts and other sites cannot use", async () => {
    const server = await view();
    const answer = await ask(server, `/?token=${server.token}`);
    expect(answer).toMatchObject({ status: 200, text: "<!doctype html>page" });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).not.toContain(server.token);
    const page = await ask(server, "/", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(page).toMatchObject({ status: 200, text: "<!doctype html>page" });
  });

  it("an address for once opens one page", async () => {
    const server = await view();
    const { pathname, search } = new URL(server.urlForOnce());
    expect(search).not.toContain(server.token);
    const first = await ask(server, pathname + search);
    expect(first.status).toBe(200);
    expect(first.headers["set-cookie"]).toBeDefined();
    const second = await ask(server, pathname + search);
    expect(second.status).toBe(401);
    expect(second.headers["set-cookie"]).toBeUndefined();
    const bearer = { authorization: `Bearer ${new URL(server.urlForOnce()).searchParams.get("token")}` };
    expect((await ask(server, "/api/runs", { headers: bearer })).status).toBe(401);
  });

  it("an address for once is good for a minute", () => {
    let now = 0;
    const tokens = createOnceTokens(() => now);
    const late = tokens.create();
    now = 60_001;
    expect(tokens.use(late)).toBe(false);
    expect(tokens.use(tokens.create())).toBe(true);
  });

  it.each(["", "x", "0".repeat(32)])("a wrong token %j opens nothing", async (token) => {
    const server = await view();
    const answer = await ask(server, `/?token=${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("a cookie is good for its port, its time and its key only", () => {
    const now = Date.now();
    const cookie = signCookie("a".repeat(64), 4280, now);
    expect(isSigned(cookie, "a".repeat(64), 4280, now)).toBe(true);
    expect(isSigned(cookie, "b".repeat(64), 4280, now)).toBe(false);
    expect(isSigned(cookie, "a".repeat(64), 4281, now)).toBe(false);
    expect(isSigned(cookie, "a".repeat(64), 4280, now + 31 * 24 * 3600 * 1000)).toBe(false);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isSigned(text, "a".repeat(64), 4280)).toBe(false);
      }),
    );
  });

  it("the key of the cookies is readable by its owner only, and one that others can read is not used", () => {
    const path = join(temporaryDirectory(), "deep", "key");
    const key = readCookieKey(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readCookieKey(path)).toBe(key);
    chmodSync(path, 0o644);
    expect(readCookieKey(path)).not.toBe(key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, "short");
    expect(readCookieKey(path)).toHaveLength(64);
    expect(readFileSync(path, "utf8")).toHaveLength(64);
  });

  it.each(["evil.example", "evil.example:4280", "127.0.0.1.evil.example", "localhost.evil.example", "a b"])(
    "the name %j, which was made to point here, is refused even with the token",
    async (host) => {
      const server = await view();
      const answer = await server.get("/api/runs", { host });
      expect([400, 403]).toContain(answer.status);
    },
  );

  it.each([
    { origin: "https://evil.example" },
    { origin: "http://localhost:3000" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("a page of another site (%j) can neither read nor start anything", async (headers) => {
    const server = await view();
    const authorization = `Bearer ${server.token}`;
    expect((await server.get("/api/runs", { ...headers })).status).toBe(403);
    const body = JSON.stringify({ agent: "generic", prompt: "x" });
    const started = await ask(server, "/api/runs", {
      method: "POST",
      body,
      headers: { ...headers, authorization },
    });
    expect(started.status).toBe(403);
  });

  it("its own page is let in under every name of this machine's loopback", async () => {
    const server = await view();
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      const host = `${name}:${server.port}`;
      const headers = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
      expect((await server.get("/api/runs", headers)).status).toBe(200);
    }
  });

  it("any Host header gives a plain name or nothing", () => {
    expect(nameOfHost("[::1]:4280")).toBe("::1");
    expect(nameOfHost("LOCALHOST:1")).toBe("localhost");
    expect(nameOfHost("a@b")).toBeUndefined();
    expect(allowedHosts("127.0.0.1").has("evil.example")).toBe(false);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(nameOfHost(text) ?? "x").toMatch(/^[a-z0-9._:-]+$/);
      }),
    );
  });
});

describe("what every answer carries", () => {
  it.each(["/", "/assets/a.js", "/api/runs", "/nothing"])("%s", async (path) => {
    const { headers } = await (await view()).get(path);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("no path leads out", () => {
  const attempts = [
    "/../package.json",
    "/assets/../../key",
    "/%2e%2e/key",
    "/..%2fkey",
    "/assets/..%5c..%5ckey",
    "//etc/passwd",
    "/api/runs/..%2f..%2fetc%2fpasswd/stream",
    "/api/runs/../../key/raw",
    "/api/runs/%2e%2e/raw",
    "/api/runs/..%2fsecret/raw",
    "/api/runs/..%2fsecret/raw/1",
    "/api/runs/%00/raw",
    "/api/runs/a%2fb/events/1",
  ];
  it.each(attempts)("%s", async (path) => {
    const server = await view();
    writeFileSync(join(server.directory, "..", "secret.meta.json"), "{}");
    const answer = await server.get(path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain("root:");
    expect(answer.text).not.toMatch(/[0-9a-f]{64}/);
  });

  it("whatever the path is", async () => {
    const server = await view();
    const piece = fc.constantFrom(
      "..",
      "%2e%2e",
      "%2f",
      "/",
      "api",
      "runs",
      "key",
      "raw",
      "\\",
      "%00",
      "assets",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { status, text } = await server.get(`/${pieces.join("/")}`);
        expect(status).toBeLessThan(500);
        expect(text).not.toMatch(/[0-9a-f]{64}/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what is planted among the recordings", () => {
  const links = [
    ["raw.jsonl", (server: TestView, id: string) => recordingPaths(server.directory, id).raw],
    ["the sidecar", (server: TestView, id: string) => recordingPaths(server.directory, id).meta],
    ["the folder", (server: TestView, id: string) => recordingPaths(server.directory, id).folder],
  ] as const;

  it.each(links)("a link in place of %s is not followed", async (_name, pathOf) => {
    const server = await view();
    const id = await record(server.directory, "claude", "text");
    const path = pathOf(server, id);
    const elsewhere = join(server.directory, "..", "elsewhere");
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    for (const part of ["raw", "raw/1", "events/1"]) {
      const { status, text } = await server.get(`/api/runs/${id}/${part}`);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ code: "unreadable_recording" });
    }
    const [only] = await messages(server, `/api/runs/${id}/stream`);
    expect(only).toMatchObject({ event: "refusal" });
    const { runs, unreadable } = JSON.parse((await server.get("/api/runs")).text);
    expect(runs).toEqual([]);
    expect(unreadable).toMatchObject([{ id }]);
  });

  it.skipIf(process.platform === "win32")("a pipe does not hold up the server", async () => {
    const server = await view();
    const id = await record(server.directory, "claude", "text");
    const { raw, meta } = recordingPaths(server.directory, id);
    for (const path of [raw, meta, join(server.directory, "other.meta.json")]) {
      rmSync(path, { force: true });
      execFileSync("mkfifo", [path]);
    }
    const { unreadable } = JSON.parse((await server.get("/api/runs")).text);
    expect(unreadable.map((each: { id: string }) => each.id).sort()).toEqual([id, "other"].sort());
    expect((await server.get(`/api/runs/${id}/raw`)).status).toBe(404);
  });
});

describe("what is sent in", () => {
  const headersOf = (server: TestView) => ({
    authorization: `Bearer ${server.token}`,
    "content-type": "application/json",
  });

  it.each([true, false])("more than 8 MB is refused (its size told before: %j)", async (isTold) => {
    const server = await view();
    const body = JSON.stringify({ agent: "generic", prompt: "x".repeat(9_000_000) });
    const headers = isTold ? { "content-length": String(body.length) } : { "transfer-encoding": "chunked" };
    const answer = await ask(server, "/api/runs", {
      method: "POST",
      body,
      headers: { ...headersOf(server), ...headers },
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text).message).toMatch(/more than 8 MB/);
  });

  it("whatever it is, it starts nothing that is not a run", async () => {
    const server = await view();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
        const answer = await ask(server, "/api/runs", { method: "POST", body, headers: headersOf(server) });
        expect(answer.status).toBe(400);
      }),
      { numRuns: 30 },
    );
  });
});

describe("what the server writes", () => {
  it("is for its user only", async () => {
    const server = await view();
    writeFileSync(
      join(server.directory, "..", "harness.toml"),
      `[agents.generic]\nbinary = "${process.execPath}"\nextra_args = ["-e", "console.log(1)"]\n`,
    );
    const body = JSON.stringify({ agent: "generic", prompt: "x" });
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await ask(server, "/api/runs", { method: "POST", body, headers });
    const { id } = JSON.parse(answer.text);
    await messages(server, `/api/runs/${id}/stream`);
    const { raw, events, meta, ndjson, folder } = recordingPaths(server.directory, id);
    for (const path of [raw, events, meta, ndjson, join(server.directory, "..", "key")])
      expect(statSync(path).mode & 0o777, path).toBe(0o600);
    for (const path of [folder, server.directory]) expect(statSync(path).mode & 0o777, path).toBe(0o700);
  });
});
