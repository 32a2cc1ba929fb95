import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { generated } from "./pages.mjs";
import { put } from "./stage.mjs";

/**
 * The reference of the library, from the comments and the declarations of the source: what an editor shows. Returns the
 * exported names that have no comment, as sentences.
 */
export function referPages(root, stage) {
  const agents = readdirSync(join(root, "src/agents"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["frame", "shared"].includes(entry.name))
    .map(({ name }) => name);
  const sources = [...Object.values(entries).map(({ source }) => source)];
  const program = programOf(root, [...sources, ...agents.map((id) => `src/agents/${id}/definition.ts`)]);
  const problems = [];
  const all = Object.fromEntries(
    Object.entries(entries).map(([key, { source }]) => [key, exportsOf(program, join(root, source))]),
  );
  const inCore = new Set(all.core.map(({ name }) => name));
  for (const [key, { source, about }] of Object.entries(entries)) {
    const names = key === "library" ? all[key].filter(({ name }) => !inCore.has(name)) : all[key];
    put(join(stage, generated[key].to), renderEntry(generated[key].title, about, names));
    for (const { name, comment } of names)
      if (comment === "") problems.push(`${name}, exported by ${source}, has no comment`);
  }
  const definitions = agents.map((id) => {
    const [only] = exportsOf(program, join(root, `src/agents/${id}/definition.ts`));
    if (only?.name !== id) problems.push(`src/agents/${id}/definition.ts does not export ${id}`);
    return id;
  });
  put(join(stage, generated.agents.to), renderAgents(definitions));
  return problems;
}

const entries = {
  library: {
    source: "src/index.ts",
    about:
      "What `harness-stream` exports besides everything in [harness-stream/core](./core.md). It needs Node. [Use the library](../../library.md) explains it with examples.",
  },
  core: {
    source: "src/core.ts",
    about:
      "What `harness-stream/core` exports. It runs in browsers, too. `harness-stream` exports all of it as well.",
  },
  testing: {
    source: "src/testing/index.ts",
    about:
      "What `harness-stream/testing` exports: a scripted model for tests with real agents. [Test without a key](../../testing.md) explains it with examples.",
  },
};

function programOf(root, sources) {
  const file = join(root, "tsconfig.build.json");
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(
    sources.map((source) => join(root, source)),
    { ...options, noEmit: true },
  );
}

function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = checker.getSymbolAtLocation(source);
  return checker
    .getExportsOfModule(module)
    .map((exported) => describe(checker, exported))
    .filter((one) => one !== undefined)
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function describe(checker, exported) {
  const isTypeOnly = (exported.declarations ?? []).some(
    (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
  );
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = (symbol.declarations ?? []).filter((node) => !isTypeOnly || isType(node));
  const [node] = declarations;
  if (node === undefined) return undefined;
  return {
    name: exported.name,
    kind: kindOf(node),
    comment: commentOf(symbol, declarations, checker),
    code: codeOf(checker, node, exported.name),
  };
}

function isType(node) {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
}

function kindOf(node) {
  if (ts.isFunctionDeclaration(node)) return "Functions";
  if (ts.isClassDeclaration(node)) return "Classes";
  return isType(node) ? "Types" : "Values";
}

/** The comment of the name, or else of the schema of the same name that a type is inferred from. */
function commentOf(symbol, declarations, checker) {
  const own = declarations.flatMap((node) => ts.getJSDocCommentsAndTags(node)).filter(ts.isJSDoc);
  const parts = own.length > 0 ? own : [];
  const text = parts
    .map(({ comment, tags }) => {
      const body = ts.getTextOfJSDocComment(comment) ?? "";
      const examples = (tags ?? [])
        .filter(({ tagName }) => tagName.text === "example")
        .map((tag) => `\`\`\`ts\n${(ts.getTextOfJSDocComment(tag.comment) ?? "").trim()}\n\`\`\``);
      return [body, ...examples].join("\n\n");
    })
    .join("\n\n");
  return (text || ts.displayPartsToString(symbol.getDocumentationComment(checker))).trim();
}

/** Longer types are described by a page of their own. */
const maxLength = 4000;

function codeOf(checker, node, name) {
  if (ts.isVariableDeclaration(node)) return clip(`const ${name}: ${typeText(checker, node)}`);
  if (ts.isFunctionDeclaration(node)) {
    const end = node.body === undefined ? node.end : node.body.pos;
    return node
      .getSourceFile()
      .text.slice(node.getStart(), end)
      .replace(/^export (?:async )?/, "")
      .trim();
  }
  const text = node.getText().replace(/^export /, "");
  if (ts.isClassDeclaration(node)) return clip(classText(node));
  if (ts.isTypeAliasDeclaration(node) && /\bv\.Infer\w+<|ReturnType<|typeof /.test(text))
    return clip(`type ${name} = ${typeText(checker, node)}`);
  return text;
}

const printer = ts.createPrinter();

/** As the compiler writes it, with one field in each line. */
function typeText(checker, node) {
  const flags =
    ts.NodeBuilderFlags.IgnoreErrors |
    ts.NodeBuilderFlags.NoTruncation |
    ts.NodeBuilderFlags.InTypeAlias |
    ts.NodeBuilderFlags.MultilineObjectLiterals;
  const type = checker.typeToTypeNode(checker.getTypeAtLocation(node), node, flags);
  const text = printer.printNode(ts.EmitHint.Unspecified, type, node.getSourceFile());
  const indented = text.replaceAll(/^(?: {4})+/gm, (spaces) => "  ".repeat(spaces.length / 4));
  return indented.split("\n").map(breakUnion).join("\n");
}

/** A long list of words gets a line for every few of them. */
function breakUnion(line) {
  if (line.length <= 100) return line;
  const indent = " ".repeat(line.search(/\S/) + 2);
  const lines = [""];
  for (const [index, part] of line.split(" | ").entries()) {
    const last = lines.at(-1);
    if (index > 0 && last.length + part.length > 96) lines.push(`${indent}| ${part}`);
    else lines[lines.length - 1] = index === 0 ? part : `${last} | ${part}`;
  }
  return lines.join("\n");
}

function classText(node) {
  const members = node.members.flatMap((member) => {
    if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
      return [];
    const source = member.getSourceFile().text;
    const body = member.body;
    return [`  ${source.slice(member.getFullStart(), body?.pos ?? member.end).trim()}${body ? ";" : ""}`];
  });
  const head = node
    .getText()
    .slice(0, node.getText().indexOf("{") + 1)
    .replace(/^export /, "");
  return [head, ...members, "}"].join("\n");
}

function clip(text) {
  return text.length <= maxLength ? text : undefined;
}

const kinds = ["Functions", "Classes", "Values", "Types"];

function renderEntry(title, about, names) {
  const sections = kinds.flatMap((kind) => {
    const members = names.filter((one) => one.kind === kind);
    if (members.length === 0) return [];
    return [`## ${kind}`, ...members.map(renderName)];
  });
  return `${[`# ${title}`, about, "The site's build writes this page from the comments of the source.", ...sections].join("\n\n")}\n`;
}

/** Pages that describe a type which is too long to be shown. */
const described = {
  HarnessEvent: "[Events](../../events.md) describes every event.",
  RunReport: "[Formats](../../output.md#json) describes its fields.",
  formats: "[Formats](../../output.md) describes each of them.",
  streamSchemas: "[Formats](../../output.md) describes each of them.",
  BatchReport: "[Batches](../../batch.md) describes the report.",
};

function renderName({ name, comment, code }) {
  const block =
    code === undefined
      ? `The type is long: your editor shows it. ${described[name] ?? ""}`.trim()
      : `\`\`\`ts\n${code}\n\`\`\``;
  return [`### ${name}`, comment, block].filter((part) => part !== "").join("\n\n");
}

function renderAgents(ids) {
  const rows = ids.map((id) => `| \`harness-stream/agents/${id}\` | \`${id}\` |`).join("\n");
  return `# ${generated.agents.title}

Each of these entries exports the definition of one agent under its id, so that a page can bundle one agent instead of all.

\`\`\`ts
import { createTranslator } from "harness-stream/core";
import { claude } from "harness-stream/agents/claude";

const translator = createTranslator(claude);
\`\`\`

The definition is an [AgentDefinition](./core.md#agentdefinition).

| entry | export |
| --- | --- |
${rows}
`;
}
