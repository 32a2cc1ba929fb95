import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readScriptFile } from "../../src/cli/scripted-model/read-script-file.js";
import { commandPath, harness, jsonLines, startHarness, temporaryDirectory } from "./harness.js";

/**
 * A program called `pi` that reads Pi's settings from its home, asks the model once, prints the answer in Pi's form, and notes what it
 * found in its environment.
 */
const fakePi = `#!/usr/bin/env node
const { readFileSync, writeFileSync, readdirSync } = require("node:fs");
const { providers } = JSON.parse(readFileSync(process.env.HOME + "/.pi/agent/models.json", "utf8"));
const { baseUrl, apiKey, models } = providers.scripted;
const tools = ["read", "bash", "edit", "write"].map((name) => ({ type: "function", function: { name, parameters: {} } }));
const messages = [{ role: "user", content: process.argv.at(-1) }];
fetch(baseUrl + "/chat/completions", {
  method: "POST",
  headers: { "content-type": "application/json", authorization: "Bearer " + apiKey },
  body: JSON.stringify({ model: models[0].id, messages, tools }),
}).then((response) => response.json()).then((body) => {
  const { content, tool_calls } = body.choices[0].message;
  const say = { answer: content, calls: (tool_calls ?? []).map((call) => call.function.name), files: readdirSync("."), key: process.env.ANTHROPIC_API_KEY };
  process.stdout.write(JSON.stringify(say) + "\\n");
});
`;

function binWith(name: string, script: string): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, name), script);
  chmodSync(join(directory, name), 0o755);
  return directory;
}

/** Only Node and what is needed for it: none of the agents that may be installed here. */
function pathOf(...directories: string[]): string {
  return [...directories, dirname(process.execPath), "/usr/bin", "/bin"].join(":");
}

function script(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("harness scripted-model --run", () => {
  it("runs the agent in a fresh directory with the script's files, without the user's keys, and leaves nothing", async () => {
    const temporary = temporaryDirectory();
    const { stdout, stderr } = await harness(["scripted-model", "--run", "pi", "-f", "full", "--no-log"], {
      env: {
        PATH: pathOf(binWith("pi", fakePi)),
        TMPDIR: temporary,
        ANTHROPIC_API_KEY: "sk-of-the-user",
      },
    });
    const said = jsonLines(stdout).find(({ type }) => type === "unknown");
    expect(said).toMatchObject({
      raw: { answer: "I will look at the code and run its test.", calls: ["read"] },
    });
    expect(said?.["raw"]).toMatchObject({ files: [".git", "cart.js", "cart.test.js", "package.json"] });
    expect(stdout.toString()).not.toContain("sk-of-the-user");
    expect(stderr).toContain("Pi is real, and its model is a script");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("records the run as a demo, which does not count in statistics", async () => {
    const env = { PATH: pathOf(binWith("pi", fakePi)), XDG_DATA_HOME: temporaryDirectory() };
    await harness(["scripted-model", "--run", "pi"], { env });
    const { stdout } = await harness(["stats", "--json"], { env });
    expect(JSON.parse(stdout.toString())).toMatchObject({ totals: { runs: 0 }, notCounted: { demos: 1 } });
  });

  it("takes a script of the user's own, a prompt and a directory, to which no files are written", async () => {
    const own = script(
      "own.toml",
      'files = { "never.txt" = "x" }\nturns = [[{ think = "Hm." }, { say = "Hello." }]]\n',
    );
    const directory = temporaryDirectory();
    const { stdout } = await harness(
      ["scripted-model", "--run", "pi", "--script", own, "--cwd", directory, "-f", "full", "--no-log", "Hi"],
      { env: { PATH: pathOf(binWith("pi", fakePi)) } },
    );
    const said = jsonLines(stdout).find(({ type }) => type === "unknown");
    expect(said).toMatchObject({ raw: { answer: "Hello.", files: [] } });
    expect(existsSync(directory)).toBe(true);
  });

  it.each([
    [["--run", "cursor"], "the scripted model does not know Cursor; it knows: claude"],
    [["--run", "nobody"], 'unknown agent "nobody"'],
    [
      ["--run", "pi", "--script", script("a.json", '{ "turns": [{ "say": "x" }] }')],
      "the script has no prompt",
    ],
    [["Say something"], "a prompt needs --run AGENT"],
    [["--print-script", "--run", "pi"], "cannot be used with option"],
    [["--script", "nowhere.json"], "cannot read nowhere.json"],
  ])("%j is refused", async (args, words) => {
    const { stderr, exitCode } = await harness(["scripted-model", ...args], { env: { PATH: pathOf() } });
    expect(stderr).toContain(words);
    expect(exitCode).toBe(2);
  });
});

describe("a script file", () => {
  it.each([
    ["x.json", '{\n"turns": [\n[{ "sya": "x" }]]}', 'x.json:3: unknown piece "sya"; did you mean "say"?'],
    ["x.json", '{ "turns": [', "not valid JSON"],
    ["x.json", "[]", "a script must be an object with turns"],
    ["x.json", "{}", '"turns" must be a list'],
    ["x.json", '{ "turns": [3] }', "a turn must be a list of pieces"],
    ["x.json", '{ "turns": [{ "say": "a", "think": "b" }] }', "with one key"],
    ["x.json", '{ "turns": [{ "httpError": 200 }] }', '"httpError" must be a status such as 500'],
    ["x.json", '{ "turns": [{ "say": "a" }], "file": {} }', 'unknown key "file"; did you mean "files"?'],
    ["x.json", '{ "turns": [{ "say": "a" }], "files": { "../x": "" } }', "inside the agent's directory"],
    ["x.toml", "turns = [\n  [{ readFile = 3 }],\n]", 'x.toml:2: "readFile" must be a path'],
    ["x.toml", 'turns = [{ pieces = [{ say = "a" }], stop = "soon" }]', '"stop" must be length or refusal'],
    ["x.toml", 'turns = [{ say = "a" }]\nsubagents = [{ prompt = "p" }]', '"turns" must be a list'],
  ])("%s with %j is refused", (name, text, words) => {
    expect(() => readScriptFile(script(name, text))).toThrow(words);
  });
});

describe("harness scripted-model", () => {
  it("prints its own script, which is valid as a script", async () => {
    const { stdout } = await harness(["scripted-model", "--print-script"]);
    const path = script("printed.json", stdout.toString());
    const { stdout: played } = await harness(
      ["scripted-model", "--run", "pi", "--script", path, "-f", "full", "--no-log"],
      { env: { PATH: pathOf(binWith("pi", fakePi)) } },
    );
    expect(jsonLines(played).find(({ type }) => type === "unknown")).toMatchObject({
      raw: { calls: ["read"] },
    });
  });

  it("serves: the printed command can be pasted, every request is a line, and a signal ends it", async () => {
    const bin = binWith("pi", fakePi);
    writeFileSync(join(bin, "harness"), `#!/bin/sh\nexec "${process.execPath}" "${commandPath}" "$@"\n`);
    chmodSync(join(bin, "harness"), 0o755);
    const home = temporaryDirectory();
    mkdirSync(join(home, "data"));
    const env = { PATH: pathOf(bin), HOME: home, XDG_DATA_HOME: join(home, "data") };
    const port = String(await freePort());
    const served = startHarness(["scripted-model", "--port", port], { env });
    let printed = "";
    served.child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await served.says("Requests:");
    expect(printed).not.toContain("--agent claude");
    const pasted = /harness run --agent pi(?:.|\n)*?(?=\n\n)/.exec(printed)?.[0] ?? "";
    // This program does not end as Pi does, so the run fails. Its stream is there all the same.
    const run: { stdout: string } = await promisify(execFile)("sh", ["-c", `${pasted} --format full`], {
      env,
    }).catch((failed) => failed);
    expect(jsonLines(run.stdout).find(({ type }) => type === "unknown")).toMatchObject({
      raw: { answer: "I will look at the code and run its test." },
    });
    await served.says("turn 1");
    const taken = await harness(["scripted-model", "--port", port], { env });
    expect(taken.stderr).toContain(`port ${port} is in use; choose another one`);
    served.child.kill("SIGINT");
    const { stdout, exitCode } = await served.ended;
    expect(stdout.toString()).toMatch(
      /pi {2,}turn 1 {2,}says "I will look at the code and run its test\.", calls read \{"path":"cart\.js"/,
    );
    expect(exitCode).toBe(0);
  });
});
