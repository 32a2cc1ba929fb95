import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";

const core = fileURLToPath(new URL("../../src/core.ts", import.meta.url));
const entry = "\0entry";

/**
 * What a page pays for: kB minified (not compressed), in one file. The limits leave a few kB to grow into; whoever
 * reaches one should see what the bundle is made of before raising it.
 */
const limits: readonly { readonly imported: string; readonly agent?: string; readonly kilobytes: number }[] =
  [
    { imported: "*", kilobytes: 670 },
    { imported: "{ createTranslator, formats }", kilobytes: 580 },
    { imported: "{ createFramedTranslator, formats }", agent: "claude", kilobytes: 261 },
    { imported: "{ createFramedTranslator, formats }", agent: "codex", kilobytes: 255 },
    { imported: "{ formatEvents }", kilobytes: 44 },
    { imported: "{ classifyCommand }", kilobytes: 122 },
    { imported: "{ decideOutcome }", kilobytes: 13 },
    { imported: "{ toNdjson }", kilobytes: 3 },
  ];

interface Bundle {
  readonly kilobytes: number;
  readonly imports: readonly string[];
  /** kB before minifying, by folder or package, the largest first. */
  readonly parts: ReadonlyMap<string, number>;
}

async function bundle(imported: string, agent?: string): Promise<Bundle> {
  const definition = fileURLToPath(new URL(`../../src/agents/${agent}/definition.ts`, import.meta.url));
  const exported = [`export ${imported} from ${JSON.stringify(core)};`];
  if (agent !== undefined) exported.push(`export * from ${JSON.stringify(definition)};`);
  const build = await rolldown({
    input: entry,
    platform: "browser",
    external: isBuiltin,
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? exported.join("\n") : null),
      },
    ],
  });
  const options = { format: "esm", codeSplitting: false } as const;
  const [{ code, imports }] = (await build.generate({ ...options, minify: true })).output;
  const [{ modules }] = (await build.generate(options)).output;
  await build.close();
  return { kilobytes: Buffer.byteLength(code) / 1000, imports, parts: partsOf(modules) };
}

function partsOf(
  modules: Readonly<Record<string, { readonly renderedLength: number }>>,
): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [id, { renderedLength }] of Object.entries(modules)) {
    const part = /(?:node_modules\/(?:@[^/]+\/)?|src\/(?:agents\/)?)[^/]+/.exec(id)?.[0];
    if (part !== undefined && renderedLength > 0) {
      parts.set(part, (parts.get(part) ?? 0) + renderedLength / 1000);
    }
  }
  return new Map([...parts].sort(([, one], [, other]) => other - one));
}

describe("a bundle with harness-stream/core", () => {
  it.each(limits)(
    "takes less than $kilobytes kB for $imported $agent",
    async ({ imported, agent, kilobytes }) => {
      const built = await bundle(imported, agent);
      const parts = [...built.parts].map(([part, size]) => `${size.toFixed(1).padStart(7)} ${part}`);
      expect(built.kilobytes, ["kB before minifying:", ...parts].join("\n")).toBeLessThan(kilobytes);
    },
  );

  it("has nothing of Node, and no package but the schemas and the shell parser", async () => {
    const { imports, parts } = await bundle("*");
    expect(imports).toEqual([]);
    expect([...parts.keys()].filter((part) => part.startsWith("node_modules/"))).toEqual([
      "node_modules/unbash",
      "node_modules/valibot",
    ]);
  });
});
