import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** One TypeScript file, as the guards see it. Paths are relative to the root and use `/`. */
export interface SourceFile {
  path: string;
  lineCount: number;
  imports: Import[];
  exports: Export[];
  functions: FunctionSize[];
  /** Nothing of it is left when types are erased. */
  isTypesOnly: boolean;
  /** Every statement imports or re-exports. */
  isReExportsOnly: boolean;
}

export interface Import {
  specifier: string;
  /** The imported file, when it is one of this project. */
  target: string | undefined;
  /** Only types are imported: nothing is loaded. */
  isType: boolean;
}

export interface Export {
  name: string;
  isType: boolean;
}

export interface FunctionSize {
  name: string;
  line: number;
  lineCount: number;
}

export const projectRoot = fileURLToPath(new URL("../../", import.meta.url));

/** The parsed files of `src/` and `page/src/` below a root, by path. */
export function readSourceTree(root = projectRoot): Map<string, SourceFile> {
  const paths = new Set(["src", "page/src"].flatMap((folder) => filesBelow(root, folder)));
  return new Map([...paths].map((path) => [path, readSourceFile(root, path, paths)]));
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .sort();
}

function readSourceFile(root: string, path: string, paths: ReadonlySet<string>): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { program, errors } = parseSync(path, text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const { body } = program;
  return {
    path,
    lineCount: text.replace(/\n$/, "").split("\n").length,
    imports: importsOf(program).map((one) => ({ ...one, target: targetOf(path, one.specifier, paths) })),
    exports: body.flatMap(exportsOf),
    functions: functionsOf(program, text),
    isTypesOnly: body.every(isErased),
    isReExportsOnly:
      body.some(isReExport) && body.every((node) => node.type === "ImportDeclaration" || isReExport(node)),
  };
}

/** Style sheets are left out: they are not code. */
function importsOf(program: ESTree.Program): { specifier: string; isType: boolean }[] {
  const imports: { specifier: string; isType: boolean }[] = [];
  const add = (specifier: string, isType: boolean) => {
    if (!specifier.endsWith(".css")) imports.push({ specifier, isType });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, isErased(node)),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, isErased(node));
    },
    ExportAllDeclaration: (node) => add(node.source.value, isErased(node)),
    ImportExpression: (node) => {
      if (node.source.type === "Literal") add(String(node.source.value), false);
    },
    TSImportType: (node) => add(node.source.value, true),
  }).visit(program);
  return imports;
}

function targetOf(path: string, specifier: string, paths: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
  return paths.has(target) ? target : `${target}x`;
}

type Statement = ESTree.Program["body"][number];

function isReExport(node: Statement): boolean {
  if (node.type === "ExportAllDeclaration") return true;
  return node.type === "ExportNamedDeclaration" && node.declaration === null;
}

const typeDeclarations: readonly string[] = ["TSTypeAliasDeclaration", "TSInterfaceDeclaration"];

function isErased(node: Statement): boolean {
  if (typeDeclarations.includes(node.type)) return true;
  if (node.type === "ImportDeclaration") return node.importKind === "type" || areTypes(node.specifiers);
  if (node.type === "ExportAllDeclaration") return node.exportKind === "type";
  if (node.type !== "ExportNamedDeclaration") return false;
  if (node.declaration !== null) return typeDeclarations.includes(node.declaration.type);
  return node.exportKind === "type" || areTypes(node.specifiers);
}

function areTypes(
  specifiers: readonly (ESTree.ImportDeclarationSpecifier | ESTree.ExportSpecifier)[],
): boolean {
  return (
    specifiers.length > 0 &&
    specifiers.every(
      (one) =>
        ("importKind" in one && one.importKind === "type") ||
        ("exportKind" in one && one.exportKind === "type"),
    )
  );
}

/** Names that the file itself declares and exports; a re-export is not a second thing of that name. */
function exportsOf(node: Statement): Export[] {
  if (node.type !== "ExportNamedDeclaration" || node.source !== null) return [];
  const { declaration } = node;
  if (declaration === null)
    return node.specifiers.map((one) => ({ name: nameOf(one.exported), isType: isErased(node) }));
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.map(({ id }) => ({ name: nameOf(id), isType: false }));
  const id = "id" in declaration ? declaration.id : null;
  return id === null ? [] : [{ name: nameOf(id), isType: isErased(node) }];
}

function nameOf(node: { type: string; name?: unknown; value?: unknown }): string {
  return String(node.name ?? node.value ?? `(${node.type})`);
}

function functionsOf(program: ESTree.Program, text: string): FunctionSize[] {
  const names = new Map<unknown, string>();
  const sizes: FunctionSize[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const add = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    const line = lineAt(node.start);
    const own = "id" in node && node.id !== null ? node.id.name : undefined;
    sizes.push({
      name: own ?? names.get(node) ?? "(anonymous)",
      line,
      lineCount: lineAt(node.end) - line + 1,
    });
  };
  new Visitor({
    VariableDeclarator: (node) => void names.set(node.init, nameOf(node.id)),
    Property: (node) => void names.set(node.value, nameOf(node.key)),
    MethodDefinition: (node) => void names.set(node.value, nameOf(node.key)),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program);
  return sizes;
}
