import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { createOpenApi } from "../../src/server/v1/openapi.js";
import { routes } from "../../src/server/v1/routes.js";

/**
 * `docs/reference/openapi.json` is written from the table of routes. `HARNESS_ACCEPT=1 npx vitest run test/docs` writes it
 * again.
 */
const file = fileURLToPath(new URL("../../docs/reference/openapi.json", import.meta.url));

it("docs/reference/openapi.json describes every operation, and is valid", async () => {
  const text = `${JSON.stringify(createOpenApi(), null, 2)}\n`;
  if (process.env["HARNESS_ACCEPT"]) writeFileSync(file, text);
  const hint = "the HTTP API has changed: HARNESS_ACCEPT=1 npx vitest run test/docs writes the file again";
  expect(readFileSync(file, "utf8"), hint).toBe(text);
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  expect(text).not.toMatch(/"\$ref": "#\/\$defs|"\$schema"/);
});

it("docs/reference/http-api.md names every operation, and no other", () => {
  const page = readFileSync(new URL("../../docs/reference/http-api.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/^\| `(GET|POST|DELETE) (\/[^`?]*)`/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const declared = routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(named.sort()).toEqual(declared.sort());
});

it("operations have names of their own", () => {
  const names = routes.map(({ operation }) => operation);
  expect(new Set(names).size).toBe(names.length);
});
