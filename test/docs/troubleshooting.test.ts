import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { agents } from "../../src/agents/registry.js";
import { failureKinds } from "../../src/events/failure.js";

const file = fileURLToPath(new URL("../../docs/guides/troubleshooting.md", import.meta.url));
const page = readFileSync(file, "utf8");

it("the page has a section for every kind of failure, in order, with something to do", () => {
  const sections = page.split(/^## /m).slice(1);
  const kinds = sections.filter((text) => /^[a-z_]+\n/.test(text));
  expect(kinds.map((text) => text.split("\n")[0])).toEqual([...failureKinds]);
  const idle = kinds.filter((text) => !/^- /m.test(text));
  expect(idle, "these sections say nothing to do").toEqual([]);
});

/** `HARNESS_ACCEPT=1 npx vitest run test/docs` writes the table again. */
it("the page says how to install every agent and how to sign in", () => {
  const block = /(?<=<!-- agents:[^\n]*-->\n)[\s\S]*?(?=<!-- \/agents -->)/;
  const text = page.replace(block, () => table());
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(text).toContain("| `claude` | `npm install");
});

function table(): string {
  const rows = agents
    .filter(({ binaries }) => binaries.length > 0)
    .map(({ id, install, credentials, signIn }) => {
      const variables = credentials.slice(0, 3).map((name) => `\`${name}\``);
      const more = credentials.length > 3 ? ` and ${credentials.length - 3} more` : "";
      const command = `\`${install.replaceAll("|", "\\|")}\``;
      return `| \`${id}\` | ${command} | ${variables.join(", ")}${more} | ${signIn ?? ""} |`;
    });
  return [
    "| agent | install | variable with the key | or run |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
