import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { isAbsolutePath } from "../../src/text/paths.js";
import { translateRun } from "../support/translated-run.js";

const init = (cwd: string) => ({ type: "system", subtype: "init", model: "claude-sonnet-4-5", cwd });
let count = 0;

/** A call, as the model makes it. */
function call(name: string, input: object, parent?: string) {
  const id = `call-${++count}`;
  const message = { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] };
  return { id, parent, use: { type: "assistant", parent_tool_use_id: parent ?? null, message } };
}

/** Its result, as Claude Code 2.1.325 prints it. */
function answer({ id, parent }: ReturnType<typeof call>, content: string, more: Answer = {}) {
  const block = { type: "tool_result", tool_use_id: id, content, ...(more.isError && { is_error: true }) };
  const details = more.isError ? `Error: ${content}` : more.details;
  return {
    type: "user",
    parent_tool_use_id: parent ?? null,
    message: { content: [block] },
    ...(parent === undefined && details !== undefined && { tool_use_result: details }),
  };
}

interface Answer {
  isError?: boolean;
  details?: object;
}

const printed = (stdout: string, more: object = {}) => ({
  stdout,
  stderr: "",
  interrupted: false,
  isImage: false,
  ...more,
});

/** A shell command that succeeded, and what it printed. */
function bash(command: string, output = "", more: object = {}, parent?: string): object[] {
  const shell = call("Bash", { command }, parent);
  return [shell.use, answer(shell, output, { details: printed(output, more) })];
}

function failedBash(command: string, output: string): object[] {
  const shell = call("Bash", { command });
  return [shell.use, answer(shell, output, { isError: true })];
}

function read(path: string, parent?: string): object[] {
  const reading = call("Read", { file_path: path }, parent);
  const details = { type: "text", file: { filePath: path, content: "x" } };
  return [reading.use, answer(reading, "1\tx", { details })];
}

/** The paths of what was done to files, in a run that begins in `/repo`. */
function pathsOf(...steps: object[][]): (string | undefined)[] {
  const { events } = translateRun(claude, [init("/repo"), ...steps.flat()]);
  return events.flatMap((event) =>
    event.type === "read" || event.type === "write" || event.type === "list" || event.type === "search"
      ? [event.path]
      : [],
  );
}

describe("the shell of Claude Code", () => {
  it("keeps its directory for every tool", () => {
    const write = call("Write", { file_path: "rel.txt", content: "x" });
    const details = { type: "create", filePath: "rel.txt", content: "x" };
    const paths = pathsOf(
      bash("cd src"),
      bash("cat app.ts"),
      bash("ls"),
      bash("grep -rn foo ."),
      read("util.ts"),
      [write.use, answer(write, "File created", { details })],
    );
    expect(paths).toEqual([
      "/repo/src/app.ts",
      "/repo/src",
      "/repo/src",
      "/repo/src/util.ts",
      "/repo/src/rel.txt",
    ]);
  });

  it("lists without a path where the run itself is", () => {
    expect(pathsOf(bash("cd src"), bash("cd .."), bash("ls"))).toEqual([undefined]);
  });

  it.each([
    ["a script that failed", failedBash("cd src; false", "Exit code 1")],
    ["a subshell", bash("(cd src && ls)")],
    ["another shell", bash("bash -c 'cd src'")],
    ["a script that ended the shell", bash("cd src; exit 0")],
    ["the background", bash("cd src; sleep 9", "Command running in background", { backgroundTaskId: "b1" })],
    [
      "a search that found nothing",
      bash("cd src && grep -q foo app.ts", "", { returnCodeInterpretation: "No matches found" }),
    ],
    ["a `cd` that failed", bash("cd src; ls", "/bin/bash: line 1: cd: src: No such file or directory\n")],
    ["a subagent", bash("cd src", "", {}, "call-of-a-subagent")],
  ])("does not move by %s", (_what, step) => {
    expect(pathsOf(step, read("a.txt")).at(-1)).toBe("/repo/a.txt");
  });

  it("is taken back when it leaves the workspace", () => {
    const reset = { stderr: "\nShell cwd was reset to /repo" };
    expect(pathsOf(bash("cd src"), bash("cd /tmp", "", reset), read("a.txt"))).toEqual(["/repo/a.txt"]);
    const bare = call("Bash", { command: "cd /tmp" });
    const told = [bare.use, answer(bare, "Shell cwd was reset to /repo")];
    expect(pathsOf(bash("cd src"), told, read("a.txt"))).toEqual(["/repo/a.txt"]);
  });

  it("is in a directory that only the shell knows: paths stay as they were written", () => {
    const paths = pathsOf(
      bash('cd "$X"'),
      read("a.txt"),
      bash("cd deep"),
      bash("cat b.txt"),
      bash("ls"),
      read("/etc/hosts"),
      bash("cd /repo/src"),
      read("c.txt"),
    );
    expect(paths).toEqual(["a.txt", "b.txt", undefined, "/etc/hosts", "/repo/src/c.txt"]);
  });

  it("is named by a file that was not found", () => {
    const lost = call("Read", { file_path: "d.ts" });
    const words = "File does not exist. Note: your current working directory is /repo/src/a.b.";
    const paths = pathsOf(
      bash("cd $X"),
      [lost.use, answer(lost, words, { isError: true })],
      bash("cat e.ts"),
    );
    expect(paths).toEqual(["/repo/src/a.b/d.ts", "/repo/src/a.b/e.ts"]);
  });

  it("is a bash on Windows too", () => {
    const run = (...steps: object[][]) =>
      translateRun(claude, [init("C:\\repo"), ...steps.flat()])
        .of("read")
        .map(({ path }) => path);
    expect(run(bash("cd src/deep"), read("a.txt"))).toEqual(["C:\\repo\\src\\deep\\a.txt"]);
    expect(run(bash("cd /d/x"), read("a.txt"))).toEqual(["D:\\x\\a.txt"]);
    expect(run(bash("cd /usr/lib"), read("a.txt"))).toEqual(["a.txt"]);
  });

  it("is named by `pwd`", () => {
    const paths = pathsOf(bash("cd $X"), bash("pwd && git status", "/repo/src\nclean\n"), read("a.txt"));
    expect(paths).toEqual(["/repo/src/a.txt"]);
  });

  it("is named again by each turn", () => {
    expect(pathsOf(bash("cd $X"), [init("/repo/src/deep")], read("a.txt"), bash("ls"))).toEqual([
      "/repo/src/deep/a.txt",
      "/repo/src/deep",
    ]);
  });

  it("was moved while another call was running: where that call worked is not certain", () => {
    const cd = call("Bash", { command: "cd src" });
    const reading = call("Read", { file_path: "a.txt" });
    const steps = [cd.use, reading.use, answer(cd, "", { details: printed("") }), answer(reading, "a")];
    expect(pathsOf(steps, read("b.txt"))).toEqual(["a.txt", "/repo/src/b.txt"]);
  });

  it("has moved with one of two commands: which of them was the last is not certain", () => {
    const cd = call("Bash", { command: "cd src" });
    const cat = call("Bash", { command: "cat a.txt" });
    const steps = [cd.use, cat.use, answer(cd, "", { details: printed("") }), answer(cat, "a")];
    expect(pathsOf(steps, read("b.txt"))).toEqual(["a.txt", "b.txt"]);
  });
});

describe("a subagent of Claude Code", () => {
  it("works where it was started, whatever it or the main agent does", () => {
    const agent = call("Agent", { subagent_type: "general-purpose", prompt: "x" });
    const paths = pathsOf(
      bash("cd src"),
      [agent.use],
      bash("cd deep", "", {}, agent.id),
      bash("cd ../notes"),
      read("a.txt", agent.id),
      read("b.txt"),
    );
    expect(paths).toEqual(["/repo/src/a.txt", "/repo/notes/b.txt"]);
  });

  it("in a worktree of its own is somewhere that nobody names", () => {
    const agent = call("Agent", { subagent_type: "general-purpose", prompt: "x", isolation: "worktree" });
    expect(pathsOf([agent.use], read("a.txt", agent.id), read("b.txt"))).toEqual(["a.txt", "/repo/b.txt"]);
  });
});

describe("a worktree of Claude Code", () => {
  const enter = (details: object) => {
    const entering = call("EnterWorktree", { name: "wt" });
    return [entering.use, answer(entering, "Created worktree", { details })];
  };
  const exit = (details: object) => {
    const exiting = call("ExitWorktree", { action: "keep" });
    return [exiting.use, answer(exiting, "Exited worktree", { details })];
  };

  it("is where the agent works until it leaves it", () => {
    const paths = pathsOf(
      enter({ worktreePath: "/repo/.claude/worktrees/wt" }),
      read("a.txt"),
      bash("cd src"),
      read("b.txt"),
      exit({ originalCwd: "/repo", restoredCwd: "/repo/src" }),
      read("c.txt"),
    );
    expect(paths).toEqual([
      "/repo/.claude/worktrees/wt/a.txt",
      "/repo/.claude/worktrees/wt/src/b.txt",
      "/repo/src/c.txt",
    ]);
  });

  it("that is not named leaves paths as they were written", () => {
    expect(pathsOf(enter({}), read("a.txt"))).toEqual(["a.txt"]);
  });
});

describe("the path of a file", () => {
  it("is the whole one that the result names", () => {
    const reading = call("Read", { file_path: "a.txt" });
    const details = { type: "text", file: { filePath: "/elsewhere/a.txt", content: "x" } };
    expect(pathsOf([reading.use, answer(reading, "1\tx", { details })])).toEqual(["/elsewhere/a.txt"]);
  });
});

describe("following directories", () => {
  const command = fc.oneof(
    fc.constantFrom(
      "cd src",
      "cd ..",
      "cd /tmp && ls",
      "cd $X",
      'cd "$(pwd)"',
      "cd ~",
      "pushd a",
      "cat a",
      "ls",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );

  it("never throws, and never makes up a path after a `cd` of a variable", () => {
    const moves = fc.array(fc.tuple(command, fc.boolean()), { maxLength: 6 });
    fc.assert(
      fc.property(moves, fc.constantFrom("$X", '"$DIR"', "$(x)", "$A/b", "~/x"), (before, target) => {
        const steps = before.map(([text, isGood]) => (isGood ? bash(text) : failedBash(text, "Exit code 1")));
        const path = pathsOf(...steps, bash(`cd ${target}`), read("a.txt")).at(-1) ?? "";
        expect(isAbsolutePath(path)).toBe(false);
      }),
    );
  });
});
