import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Permissions } from "../../src/agents/definition.js";
import type { Shell } from "../../src/cli/completion/command.js";
import type { ArgumentDeclaration, FlagsOf, OptionDeclaration, WordsOf } from "../../src/cli/declarations.js";
import { createProgram } from "../../src/cli/program.js";
import type { RunFlags } from "../../src/cli/run/command.js";
import type { ExportFlags, ListFlags, PruneFlags } from "../../src/cli/sessions/command.js";
import type { TranslateFlags } from "../../src/cli/translate/command.js";
import type { OutputName } from "../../src/outputs/registry.js";

const root = fileURLToPath(new URL("../../src/cli/", import.meta.url));

/** Checked by the compiler, with `npm run check`. */
describe("the types of flags and words", () => {
  const options = [
    { flags: "--json", description: "" },
    { flags: "--no-log", description: "" },
    { flags: "-p, --prompt-file <file>", description: "" },
    { flags: "--env <NAME=value...>", description: "" },
    { flags: "-n, --limit <n>", description: "", parse: Number, default: 20 },
    { flags: "--max-budget-usd <amount>", description: "", parse: Number },
    { flags: "--mode <mode>", description: "", choices: ["a", "b"] },
    { flags: "--agent <name>", description: "", isRequired: true },
  ] as const satisfies readonly OptionDeclaration[];
  const words = [
    { name: "<id>", description: "" },
    { name: "[file]", description: "" },
    { name: "<shell>", description: "", choices: ["bash", "zsh"] },
    { name: "[words...]", description: "" },
  ] as const satisfies readonly ArgumentDeclaration[];

  it("follow from what is declared", () => {
    expectTypeOf<FlagsOf<typeof options>>().toEqualTypeOf<{
      readonly json: boolean | undefined;
      readonly log: boolean;
      readonly promptFile: string | undefined;
      readonly env: readonly string[] | undefined;
      readonly limit: number;
      readonly maxBudgetUsd: number | undefined;
      readonly mode: "a" | "b" | undefined;
      readonly agent: string;
    }>();
    expectTypeOf<WordsOf<typeof words>>().toEqualTypeOf<
      readonly [string, string | undefined, "bash" | "zsh", readonly string[]]
    >();
  });

  it("are those that the commands work with", () => {
    expectTypeOf<RunFlags["permissions"]>().toEqualTypeOf<Permissions | undefined>();
    expectTypeOf<RunFlags["format"]>().toEqualTypeOf<OutputName | undefined>();
    expectTypeOf<RunFlags["output"]>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<RunFlags["maxTurns"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<TranslateFlags["agent"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ListFlags["since"]>().toEqualTypeOf<Date | undefined>();
    expectTypeOf<PruneFlags["olderThan"]>().toEqualTypeOf<Date>();
    expectTypeOf<ExportFlags["format"]>().toEqualTypeOf<OutputName | undefined>();
    expectTypeOf<Shell>().toEqualTypeOf<"bash" | "zsh" | "fish">();
  });

  it("do not have an option that is not declared", () => {
    // @ts-expect-error: `--prompt-file` is `promptFile`.
    type Misspelled = RunFlags["promptfile"];
    expectTypeOf<Misspelled>().not.toBeString();
  });
});

describe("commands", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/"));
  const folders = files.flatMap((name) => /^([\w-]+)\/command\.ts$/.exec(name)?.[1] ?? []);

  it("are folders with a command.ts, each of them in the program", () => {
    const program = createProgram(() => undefined);
    const names = program.commands.map((command) => command.name()).filter((name) => name !== "version");
    expect(folders.sort()).toEqual(names.sort());
  });

  it("import no other command", () => {
    const imports = files.flatMap((file) => {
      const [folder = ""] = file.split("/");
      if (!folders.includes(folder)) return [];
      const others = readFileSync(join(root, file), "utf8").matchAll(/from "\.\.\/([\w-]+)\//g);
      return [...others].flatMap(([, other = ""]) => (folders.includes(other) ? [`${file}: ${other}`] : []));
    });
    expect(imports).toEqual([]);
  });

  it("get their flags from declarations, never from Commander, whose types are any", () => {
    const through = files.filter((file) =>
      /\.(?:opts|action)[(<]|\.processedArgs/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(through.sort()).toEqual(["define-command.ts", "program.ts"]);
  });

  it("name options of their own where one conflicts with or implies another", () => {
    const unknown = everyCommand(createProgram(() => undefined)).flatMap((command) => {
      const keys = command.options.map((option) => option.attributeName());
      // Commander has them, and no types for them.
      const named = command.options.flatMap((option): string[] => [
        ...Reflect.get(option, "conflictsWith"),
        ...Object.keys(Reflect.get(option, "implied") ?? {}),
      ]);
      return named.filter((key) => !keys.includes(key)).map((key) => `${command.name()}: ${key}`);
    });
    expect(unknown).toEqual([]);
  });
});

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
