import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSigned, readCookieKey, signCookie } from "../../src/server/cookie-key.js";
import { allowedHosts, nameOfHost } from "../../src/server/host-names.js";
import { createOnceTokens } from "../../src/server/once-tokens.js";
import { ask, record, startTestServer, temporaryDirectory } from "./support.js";

/** Every request that does something. */
function acting(id: string): (readonly [method: string, path: string])[] {
  const verbs = ["send", "answer", "interrupt", "model", "close"];
  return [
    ["POST", "/api/runs"],
    ["POST", "/api/sessions"],
    ["POST", `/api/runs/${id}/cancel`],
    ["DELETE", `/api/runs/${id}`],
    ...verbs.map((verb) => ["POST", `/api/runs/${id}/session/${verb}`] as const),
  ];
}

describe("who is let in", () => {
  it("nobody without the token, whatever they ask for", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    for (const path of [
      "/",
      "/assets/a.js",
      "/api/runs",
      "/api/live",
      `/api/runs/${id}/stream`,
      "/api/agents",
      `/api/runs/${id}/session`,
      `/api/runs/${id}/export/html`,
    ]) {
      const answer = await ask(server, path);
      expect(answer.status, path).toBe(401);
      expect(answer.text).not.toContain("<!doctype");
      expect(answer.text).not.toContain(id);
    }
    for (const [method, path] of acting(id))
      expect(
        (await ask(server, path, { method, ...(method === "POST" && { body: "{}" }) })).status,
        path,
      ).toBe(401);
    expect((await server.get(`/api/runs/${id}/raw`)).status).toBe(200);
  });

  it("the token in the address becomes a cookie that scripts and other sites cannot use", async () => {
    const server = await startTestServer();
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
    const server = await startTestServer();
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
    const server = await startTestServer();
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
      const server = await startTestServer();
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
    const server = await startTestServer();
    const authorization = `Bearer ${server.token}`;
    expect((await server.get("/api/runs", { ...headers })).status).toBe(403);
    const body = JSON.stringify({ agent: "generic", prompt: "x" });
    for (const [method, path] of acting("20261115-120000-aaaaaa")) {
      const answer = await ask(server, path, {
        method,
        headers: { ...headers, authorization },
        ...(method === "POST" && { body }),
      });
      expect(answer.status, path).toBe(403);
    }
  });

  it("its own page is let in under every name of this machine's loopback", async () => {
    const server = await startTestServer();
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
    const { headers } = await (await startTestServer()).get(path);
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
    "/api/runs/..%2fsecret/session",
    "/api/runs/..%2fsecret/export/html",
    "/api/runs/20261115-120000-aaaaaa/export/..%2f..%2fkey",
  ];
  it.each(attempts)("%s", async (path) => {
    const server = await startTestServer();
    writeFileSync(join(server.directory, "..", "secret.meta.json"), "{}");
    const answer = await server.get(path);
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain("root:");
    expect(answer.text).not.toMatch(/[0-9a-f]{64}/);
  });

  it("whatever the path is", async () => {
    const server = await startTestServer();
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
