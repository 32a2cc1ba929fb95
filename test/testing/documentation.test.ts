import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as testing from "../../src/testing/index.js";

const page = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
const importPattern = /^import \{([^}]*)\} from "harness-stream\/testing";$/m;

describe("docs/testing.md", () => {
  it("imports only what exists", () => {
    const names = examples
      .flatMap((code) => importPattern.exec(code)?.[1]?.split(",") ?? [])
      .map((name) => name.trim());
    expect(names.length).toBeGreaterThan(5);
    expect(Object.keys(testing)).toEqual(expect.arrayContaining(names));
  });

  it("names every piece, fault and action", () => {
    const constructors = Object.keys(testing).filter((name) => !/^(prepar|start|tool)/.test(name));
    for (const name of constructors) expect(page, name).toContain(`\`${name}`);
  });

  it("has an example that needs no agent, with its output", async () => {
    const example =
      examples.find((code) => importPattern.test(code) && !code.includes('from "harness-stream";')) ?? "";
    const printed: string[] = [];
    const names = importPattern.exec(example)?.[1] ?? "";
    const body = `const {${names}} = testing;\n${example.replace(importPattern, "")}`;
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    await new AsyncFunction("testing", "console", body)(testing, {
      log: (text: unknown) => printed.push(String(text)),
    });
    expect(printed).toEqual(
      [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, comment]) => comment),
    );
    expect(printed).toHaveLength(3);
  });
});
