import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { findBreaks } from "./check-imports.js";
import { findReExports, findSharedNames } from "./check-names.js";
import { findCrumbs, findLongFiles, findLongFunctions } from "./check-sizes.js";
import { projectRoot, readSourceTree, type SourceFile } from "./source-tree.js";

/**
 * Walks the steps of CONTRIBUTING.md for an agent and an output: in a copy of the source, a folder and a line in the
 * registry each, and nothing else.
 */
const fixtures = fileURLToPath(new URL("../fixtures/house/", import.meta.url));
const capture = `${fixtures}capture/stdout.jsonl`;
const copy = mkdtempSync(join(tmpdir(), "harness-house-"));

beforeAll(async () => {
  for (const name of ["src", "page/src", "package.json", "tsconfig.json", "tsconfig.build.json"])
    cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules"), join(copy, "node_modules"));
  cpSync(`${fixtures}agent`, join(copy, "src/agents/magpie"), { recursive: true });
  register("src/agents/registry.ts", "magpie", "./magpie/definition.js", "builtIn = [");
  cpSync(`${fixtures}output`, join(copy, "src/outputs/tally"), { recursive: true });
  register("src/outputs/registry.ts", "tallyOutput", "./tally/output.js", "outputs = [");
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: copy }).catch(
    ({ stdout }) => expect.unreachable(`the types do not fit: ${stdout}`),
  );
}, 180_000);

/** The line in the registry, and the import that it needs. */
function register(file: string, name: string, from: string, list: string): void {
  const text = readFileSync(join(copy, file), "utf8");
  expect(text).toContain(list);
  const entry = text.replace(list, `${list}\n  ${name},`);
  writeFileSync(join(copy, file), `import { ${name} } from "${from}";\n${entry}`);
}

async function harness(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(copy, "dist/cli/main.js"), ...args], {
    cwd: copy,
    env: { PATH: process.env["PATH"], HOME: copy },
  });
  return stdout;
}

describe("an agent that is added as CONTRIBUTING.md says", () => {
  it("is found", async () => {
    const listed: unknown = JSON.parse(await harness("list", "--json"));
    expect(listed).toContainEqual(expect.objectContaining({ agent: "magpie" }));
  });

  it("has its output translated", async () => {
    const text = await harness("translate", "--agent", "Magpie-Agent", "--format", "full", capture);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual([
      "started",
      "session",
      "tool_start",
      "tool_end",
      "write",
      "unknown",
      "agent",
      "usage",
      "result",
      "exited",
    ]);
    expect(events.at(-2)).toMatchObject({ isSuccess: true, text: "Done." });
  });

  it("is run", async () => {
    const args = ["--agent", "magpie", "--binary", `${fixtures}program`, "--prompt", "Tidy up", "--no-log"];
    expect(await harness("run", ...args, "--quiet")).toBe("Done.\n");
  });
});

describe("an output that is added as CONTRIBUTING.md says", () => {
  it.each(["run", "translate", "sessions replay", "sessions export"])(
    "is a choice of `%s --format`",
    async (command) => {
      expect(await harness(...command.split(" "), "--help")).toContain('"tally"');
    },
  );

  it("prints a run", async () => {
    expect(await harness("translate", "--agent", "magpie", "--format", "tally", capture)).toBe(
      "started 1\nsession 1\ntool_start 1\ntool_end 1\nwrite 1\nunknown 1\nagent 1\nusage 1\nresult 1\nexited 1\n",
    );
  });
});

it("the guards accept both", () => {
  const find = (tree: ReadonlyMap<string, SourceFile>) =>
    [findBreaks, findLongFunctions, findLongFiles, findCrumbs, findSharedNames, findReExports].flatMap(
      (guard) => guard(tree),
    );
  const before = new Set(find(readSourceTree()));
  expect(find(readSourceTree(copy)).filter((one) => !before.has(one))).toEqual([]);
});
