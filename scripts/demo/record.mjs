/**
 * Records the runs that `harness demo` plays: the real agent, a real workspace, and a scripted model on 127.0.0.1.
 *
 *     node scripts/demo/record.mjs claude /path/to/claude
 *
 * Paths are made neutral. Everything else stays as the program printed it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../dist/index.js";
import * as script from "../../dist/testing/index.js";

const { call, delegate, editFile, readFile, runCommand, say, search, slow, startScriptedModel, think, turn } =
  script;
const [, , agent, binary] = process.argv;
const prompt = "The test for the cart total fails. Find out why and fix it.";

const home = mkdtempSync(join(tmpdir(), "home-"));
const workspace = join(mkdtempSync(join(tmpdir(), "demo-")), "cart");
writeWorkspace();

const hasSubagents = !["pi"].includes(agent);
const model = await startScriptedModel({ agent, workspace, scenario: scenario() });
const prepared = await script.prepareAgent(agent, {
  home,
  workspace,
  modelUrl: model.url,
  ...(agent === "codex" && { model: "gpt-5.1-codex" }),
});
const recorded = mkdtempSync(join(tmpdir(), "recorded-"));
const running = run({
  agent,
  prompt,
  binary,
  cwd: workspace,
  env: { ...prepared.env, IS_SANDBOX: "1" },
  extraArgs: prepared.args,
  recordTo: recorded,
  log: false,
});
for await (const event of running)
  if (event.type !== "text") console.log(event.type, event.path ?? event.command ?? event.message ?? "");
console.log(await running.result);
await model.close();
writeFileSync(
  new URL(`../../demo/${agent}.jsonl`, import.meta.url),
  neutral(readFileSync(join(recorded, "raw.jsonl"), "utf8")),
);

function scenario() {
  const pause = () => slow(700);
  const usage = (input, output) => ({ input, cacheRead: 8200 + input, cacheWrite: 640, output });
  const look = "Find every place that uses the discount";
  const subagent = "DEMO-SUBAGENT Find every place in src that uses the discount and say what it does there.";
  return {
    turns: [
      turn(
        [
          pause(),
          think("A failing test: run it first, then read what it covers."),
          say("I'll run the test to see how it fails."),
          call(runCommand("node --test")),
        ],
        { usage: usage(420, 61) },
      ),
      turn(
        [
          pause(),
          say("The total ignores the discount. Let me read the code and the test."),
          call(readFile("src/total.js")),
          call(readFile("test/total.test.js", [1, 12])),
        ],
        { usage: usage(610, 88) },
      ),
      ...(hasSubagents
        ? [
            turn(
              [pause(), say("A subagent can check who else depends on it."), call(delegate(look, subagent))],
              { usage: usage(520, 74) },
            ),
          ]
        : [
            turn([pause(), say("Who else depends on it?"), call(search("discount", "src"))], {
              usage: usage(520, 74),
            }),
          ]),
      turn(
        [
          pause(),
          say("Only `total` is wrong: it adds the prices and never applies the discount."),
          call(editFile("src/total.js", "  return sum;", "  return sum * (1 - discount);")),
        ],
        { usage: usage(700, 120) },
      ),
      turn([pause(), say("Now the test again."), call(runCommand("node --test"))], { usage: usage(380, 40) }),
      turn(
        [
          pause(),
          say(
            "Fixed: `total` in src/total.js now applies the discount, and the test passes. Nothing else uses it.",
            { pieces: 9 },
          ),
        ],
        { usage: usage(300, 52) },
      ),
    ],
    subagents: [
      {
        prompt: "DEMO-SUBAGENT",
        turns: [
          [slow(400), call(search("discount", "src"))],
          [slow(400), say("Only src/total.js takes a discount; src/receipt.js passes it on.")],
        ],
      },
    ],
    sideAnswer: "Cart total",
  };
}

function writeWorkspace() {
  for (const folder of ["src", "test"]) mkdirSync(join(workspace, folder), { recursive: true });
  const files = {
    "package.json": '{ "name": "cart", "type": "module" }\n',
    "README.md": "# Cart\n\nAdds up what is in a cart.\n",
    "src/total.js":
      "export function total(items, discount = 0) {\n  const sum = items.reduce((all, item) => all + item.price, 0);\n  return sum;\n}\n",
    "src/receipt.js":
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a file
      'import { total } from "./total.js";\n\nexport function receipt(items, discount) {\n  return `Total: ${total(items, discount)}`;\n}\n',
    "test/total.test.js":
      'import assert from "node:assert";\nimport test from "node:test";\nimport { total } from "../src/total.js";\n\ntest("a discount lowers the total", () => {\n  assert.equal(total([{ price: 10 }, { price: 30 }], 0.25), 30);\n});\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  execFileSync("git", ["init", "-q"], { cwd: workspace });
}

function neutral(text) {
  const port = String(model.port);
  return text
    .replaceAll(workspace, "/workspace/cart")
    .replaceAll(workspace.replaceAll("/", "-"), "-workspace-cart")
    .replaceAll(home, `/home/${agent}`)
    .replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8080");
}
