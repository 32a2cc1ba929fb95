import { once } from "node:events";
import { renameSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { createV1, routes } from "../../../src/server/v1/routes.js";
import { toBody } from "../../../src/server/v1/to-body.js";
import { ask, record } from "../support.js";
import { connect } from "./client.js";

/** Every operation, with an id in its path. */
const addresses = (id: string) =>
  routes.map(({ method, path }) => ({
    method: method.toUpperCase() as "GET" | "POST" | "DELETE",
    path: path.replace("{id}", id).replace("{format}", "json"),
    isOfRun: path.startsWith("/runs/{id}"),
  }));

/** A body that every operation with a body takes, as far as its fields go. */
const bodies: Record<string, object> = {
  messages: { prompt: "x" },
  answers: { requestId: "x", answer: { allow: true } },
  model: { model: "x" },
};

describe("the table of routes", () => {
  it("is what the server has", () => {
    const isOperation = (method: string): boolean => method !== "ALL";
    const served = createV1({} as never).routes.filter(({ method }) => isOperation(method));
    const names = new Set(served.map(({ method, path }) => `${method} ${path}`));
    const declared = routes.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
    );
    expect([...names].sort()).toEqual([...declared].sort());
  });
});

describe("who is let in", () => {
  it("only somebody with the token, to any operation", async () => {
    const { server } = await connect();
    const origin = `http://127.0.0.1:${server.port}`;
    const token = { authorization: `Bearer ${server.token}` };
    const attempts: [string, Record<string, string>, number, string][] = [
      ["nothing", {}, 401, "no_access"],
      ["a wrong token", { authorization: `Bearer ${"x".repeat(32)}` }, 401, "no_access"],
      ["another scheme", { authorization: `Basic ${server.token}` }, 401, "no_access"],
      ["another site", { ...token, origin: "https://example.com" }, 403, "wrong_origin"],
      ["another port", { ...token, origin: "http://127.0.0.1:1" }, 403, "wrong_origin"],
      ["a page elsewhere", { ...token, "sec-fetch-site": "cross-site" }, 403, "wrong_origin"],
      ["another name", { ...token, host: "example.com" }, 403, "wrong_host"],
    ];
    const problems: string[] = [];
    for (const { method, path } of addresses("x"))
      for (const [name, headers, status, code] of attempts) {
        const answer = await ask(server, `/api/v1${path}`, { method, headers });
        const { code: found } = JSON.parse(answer.text);
        if (answer.status !== status || found !== code) problems.push(`${name}: ${method} ${path}: ${found}`);
        if (status === 401 && answer.headers["www-authenticate"] !== "Bearer")
          problems.push(`${name}: ${path}`);
      }
    expect(problems).toEqual([]);
    // A token in the address is for the page alone: addresses are logged and shared.
    expect((await ask(server, `/api/v1/status?token=${server.token}`)).status).toBe(401);
    const own = await ask(server, "/api/v1/status", { headers: { ...token, origin } });
    expect(own.status).toBe(200);
    expect(own.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("a body that breaks off", () => {
  it("is not taken for the whole", async () => {
    async function* pieces() {
      yield "a line\n";
      throw new Error("the disk is gone");
    }
    const served = createServer(getRequestListener(() => new Response(toBody(pieces()))));
    onTestFinished(() => void served.close());
    await once(served.listen(0, "127.0.0.1"), "listening");
    const { port } = served.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toThrow();
  });
});

describe("bad input", () => {
  it("ids that are no ids, and runs that there are not, are not found by any operation", async () => {
    const client = await connect();
    const problems: string[] = [];
    for (const id of [
      "..",
      "%2e%2e%2fkey",
      "..%2F..%2Fetc",
      "a%00b",
      ".hidden",
      "-rf",
      "20200101-000000-abcdef",
    ])
      for (const { method, path, isOfRun } of addresses(id)) {
        // Dots alone are another address, as they are everywhere.
        if (!isOfRun || id === "..") continue;
        const [status, code] = await client.refused(method, path, bodies[path.split("/").at(-1) ?? ""]);
        if (status !== 404 || code !== "unknown_session")
          problems.push(`${method} ${path}: ${status} ${code}`);
      }
    expect(problems).toEqual([]);
  });

  it("other methods and other addresses are refused in JSON", async () => {
    const client = await connect();
    const { server } = client;
    const headers = { authorization: `Bearer ${server.token}` };
    const put = await ask(server, "/api/v1/runs", { method: "PUT", headers });
    expect([put.status, put.headers["allow"]]).toEqual([405, "GET, POST"]);
    expect(JSON.parse(put.text)).toMatchObject({ code: "wrong_method" });
    for (const [method, path] of [
      ["PATCH", "/runs/x"],
      ["GET", "/runs/x/cancel"],
      ["OPTIONS", "/status"],
      ["HEAD", "/runs/x/events"],
    ] as const)
      expect((await ask(server, `/api/v1${path}`, { method, headers })).status, path).toBe(405);
    for (const path of ["", "/", "/nothing", "/runs/x/y/z", "/toString"]) {
      const { status, text } = await ask(server, `/api/v1${path}`, { headers });
      expect([path, status, JSON.parse(text).code]).toEqual([path, 404, "not_found"]);
    }
  });

  it("more than 8 MB is refused, also in pieces", async () => {
    const client = await connect();
    const body = JSON.stringify({ agent: "claude", prompt: "x".repeat(9_000_000) });
    for (const path of ["/runs", "/sessions", "/runs/x/messages"])
      expect(await client.refused("POST", path, body)).toEqual([413, "too_large"]);
    const chunked = await ask(client.server, "/api/v1/runs", {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${client.server.token}`, "transfer-encoding": "chunked" },
    });
    expect(chunked.status).toBe(413);
  });

  it("a link among the recordings is not followed", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "claude", "text");
    const { raw } = recordingPaths(client.server.directory, id);
    renameSync(raw, join(client.server.directory, "..", "elsewhere"));
    symlinkSync(join(client.server.directory, "..", "elsewhere"), raw);
    for (const part of ["", "/raw", "/events", "/export/raw", "/changes"])
      expect(await client.refused("GET", `/runs/${id}${part}`)).toEqual([404, "unreadable_recording"]);
  });

  it("what an agent says is no message of the stream, and no header", async () => {
    const nasty = "x\r\n\r\nevent: end\r\ndata: {}\r\n\u2028id: 7";
    const client = await connect(
      {},
      `[agents.generic]
binary = ${JSON.stringify(process.execPath)}
extra_args = ["-e", ${JSON.stringify(`process.stdout.write(${JSON.stringify(nasty)})`)}]
`,
    );
    const { json } = await client.post("/runs", { agent: "generic", prompt: nasty });
    for (const format of ["full", "events", "run-events"]) {
      const found = await client.follow(`/runs/${json["id"]}/events?format=${format}`);
      expect(found.filter(({ event }) => event !== "message")).toMatchObject([
        { event: "end", data: { outcome: "completed" } },
      ]);
    }
  });
});
