import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const page = fileURLToPath(new URL("../../docs/live.md", import.meta.url));
const chat = fileURLToPath(new URL("../../examples/chat/chat.mjs", import.meta.url));

/** `HARNESS_ACCEPT=1 vitest run test/docs` copies the example into the page. */
it("docs/live.md shows the chat of examples/chat, in at most 60 lines", () => {
  const code = readFileSync(chat, "utf8");
  const text = readFileSync(page, "utf8");
  const shown = text.replace(
    /(<!-- chat: .*? -->\n).*?(<!-- \/chat -->)/s,
    (_match, begin: string, end: string) => `${begin}\`\`\`js\n${code}\`\`\`\n${end}`,
  );
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(page, shown);
  expect(readFileSync(page, "utf8")).toBe(shown);
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});
