import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { connect } from "../server/v1/client.js";

const examples = fileURLToPath(new URL("../../examples/http-api/", import.meta.url));
const page = readFileSync(new URL("../../docs/reference/http-api.md", import.meta.url), "utf8");

it("the programs of docs/reference/http-api.md talk with an agent", async () => {
  const { server } = await connect();
  const file = join(server.directory, "..", "server.json");
  writeFileSync(file, JSON.stringify({ api: `${server.origin}/api/v1`, token: server.token }));
  for (const [program, name] of [
    [process.execPath, "session.mjs"],
    ["python3", "session.py"],
  ] as const) {
    expect(page, name).toContain(readFileSync(join(examples, name), "utf8").trimEnd());
    const args = [join(examples, name), file, "claude", "run make"];
    const { stdout } = await promisify(execFile)(program, args);
    const words = ["It asks for Bash. This program allows only reading.", "Denied: ", "completed 0.01"];
    expect(stdout.split("\n").slice(0, 3)).toEqual(words.map((each) => expect.stringContaining(each)));
  }
});
