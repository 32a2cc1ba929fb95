import { readFileSync } from "node:fs";
import fc from "fast-check";
import type * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { AgentDefinitionSchema, type TranslatorOptionsSchema } from "../../src/agents/agent-schemas.js";
import type { TranslatorOptions } from "../../src/agents/contract.js";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { agents } from "../../src/agents/registry.js";
import { run } from "../../src/live/run.js";
import { planRun } from "../../src/runs/plan.js";
import type { Task } from "../../src/runs/task.js";
import { TaskSchema } from "../../src/runs/task-schema.js";
import { checkOptions } from "../../src/text/check-options.js";
import { finish, temporaryDirectory, testAgent } from "./test-agent.js";

/** As a program without types calls it. */
const runAny: (task?: unknown) => unknown = run as (task?: unknown) => unknown;
const planAny: (task?: unknown) => ReturnType<typeof planRun> = planRun as never;
const good = { agent: "claude", prompt: "x" };

function refusalOf(task: unknown): { code?: string; message: string } {
  try {
    runAny(task);
  } catch (error) {
    return error as { code?: string; message: string };
  }
  throw new Error("it was not refused");
}

/** Checked by the compiler. */
it("the schema of a task and its type are the same", () => {
  expectTypeOf<v.InferOutput<typeof TaskSchema>>().toEqualTypeOf<Task>();
  expectTypeOf<v.InferOutput<typeof AgentDefinitionSchema>>().toExtend<AgentDefinition>();
  expectTypeOf<AgentDefinition>().toExtend<v.InferOutput<typeof AgentDefinitionSchema>>();
  expectTypeOf<v.InferOutput<typeof TranslatorOptionsSchema>>().toEqualTypeOf<TranslatorOptions>();
});

it("a refusal does not quote variables and headers of MCP servers", () => {
  for (const server of [
    { url: "https://example.com", headers: "Bearer s3cret" },
    { url: "https://example.com", headers: { Authorization: ["s3cret"] } },
    { command: "x", env: "KEY=s3cret" },
  ])
    expect(refusalOf({ ...good, mcpServers: { web: server } }).message).not.toContain("s3cret");
});

describe("a task is never more permissive than what was asked for", () => {
  it.each(["readonly", "READ-ONLY", "Read-Only", "read_only", "", null, false, 0, ["read-only"]])(
    "permissions: %o",
    (permissions) => {
      const { code, message } = refusalOf({ ...good, permissions });
      expect(code).toBe("invalid_option");
      expect(message).toMatch(
        /^task\.permissions must be "full-access", "read-only", "ask" or an object with rules, not /,
      );
    },
  );

  it.each([
    [{}, /^task\.permissions must have a rule in allow, deny or ask, not an object; write "ask"/],
    [{ allow: [], deny: [] }, /^task\.permissions must have a rule/],
    [{ allow: "read" }, /^task\.permissions\.allow must be an array, not "read"/],
    [{ alow: ["read"] }, /^task\.permissions\.alow is not known/],
    [{ deny: ["read", 5] }, /^task\.permissions\.deny\[1\] must be a string, not 5/],
    [
      { deny: ["read", "reed: x"] },
      /^task\.permissions\.deny\[1\] must begin with an operation \(read, .*\) and a colon if a pattern follows, not "reed: x"; did you mean "read/,
    ],
    [
      { ask: ["command:"] },
      /^task\.permissions\.ask\[0\] must have a pattern after the colon, not "command:"; write "command"/,
    ],
  ])("rules: %j", (permissions, message) => {
    expect(refusalOf({ ...good, permissions })).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
    });
  });

  it("says what was probably meant", () => {
    expect(refusalOf({ ...good, permissions: "readonly" }).message).toContain('did you mean "read-only"?');
    expect(refusalOf({ ...good, permission: "read-only" }).message).toMatch(
      /^task\.permission is not known; did you mean "permissions"\? Known keys: agent, prompt, /,
    );
    expect(refusalOf({ ...good, Permissions: "read-only" }).message).toContain(
      "task.Permissions is not known",
    );
  });

  it.each([
    ["no task", undefined, /^task must be an object, not undefined/],
    ["null", null, /not null/],
    ["a text", "fix it", /not "fix it"/],
    ["a list", [good], /not an array/],
    ["no agent", { prompt: "x" }, /^task\.agent is missing$/],
    ["an agent that is a number", { agent: 5, prompt: "x" }, /^task\.agent must be the name of an agent/],
    ["an agent that is null", { agent: null, prompt: "x" }, /^task\.agent must be/],
    ["half a definition", { agent: { id: "x" }, prompt: "x" }, /^task\.agent\.\w+ is missing/],
    [
      "a definition without a launcher",
      { agent: { ...testAgent, launch: undefined }, prompt: "x" },
      /^task\.agent\.launch is missing/,
    ],
    [
      "a definition with a wrong capability",
      { agent: { ...testAgent, capabilities: { ...testAgent.capabilities, readOnly: "yes" } }, prompt: "x" },
      /^task\.agent\.capabilities\.readOnly must be true or false, not "yes"/,
    ],
    ["a prompt that is no text", { ...good, prompt: 5 }, /^task\.prompt must be a string, not 5/],
    ["a prompt that is null", { ...good, prompt: null }, /^task\.prompt must be a string, not null/],
    ["a model that is null", { ...good, model: null }, /^task\.model must be a string/],
    ["an empty directory", { ...good, cwd: "" }, /^task\.cwd must not be empty/],
    [
      "a directory that is a URL",
      { ...good, cwd: new URL("file:///tmp") },
      /^task\.cwd must be a string, not an object/,
    ],
    ["an empty session", { ...good, resume: "" }, /^task\.resume must not be empty/],
    [
      "a session that would be an option of the agent",
      { ...good, resume: "--dangerously-skip-permissions" },
      /^task\.resume must not begin with a hyphen/,
    ],
    [
      "a model that would be an option",
      { ...good, model: "--yolo" },
      /^task\.model must not begin with a hyphen/,
    ],
    ["half a turn", { ...good, maxTurns: 1.5 }, /^task\.maxTurns must be a whole number, not 1\.5/],
    ["no turns", { ...good, maxTurns: 0 }, /^task\.maxTurns must be above 0, not 0/],
    ["a budget below nothing", { ...good, maxBudgetUsd: -1 }, /^task\.maxBudgetUsd must be above 0, not -1/],
    [
      "a budget without an end",
      { ...good, maxBudgetUsd: Number.POSITIVE_INFINITY },
      /^task\.maxBudgetUsd must be a finite number, not Infinity/,
    ],
    [
      "arguments that are one text",
      { ...good, extraArgs: "--a --b" },
      /^task\.extraArgs must be an array, not "--a --b"/,
    ],
    [
      "a number among the arguments",
      { ...good, extraArgs: ["a", 5] },
      /^task\.extraArgs\[1\] must be a string, not 5/,
    ],
    ["a hole among the arguments", { ...good, extraArgs: Array(2) }, /^task\.extraArgs\[0\] is missing/],
    ["a variable that is a number", { ...good, env: { PORT: 80 } }, /^task\.env\.PORT must be a string/],
    [
      "a variable that is undefined",
      { ...good, env: { PORT: undefined } },
      /^task\.env\.PORT must be a string/,
    ],
    ["a variable without a name", { ...good, env: { "": "x" } }, /name of a variable/],
    [
      "a variable with = in its name",
      { ...good, env: { "A=B": "x" } },
      /^task\.env\.A=B must be the name of a variable: not empty, and without "="/,
    ],
    [
      "variables as a list",
      { ...good, env: ["A=b"] },
      /^task\.env must be an object whose values are strings/,
    ],
    ["a time that is a text", { ...good, timeoutMs: "10" }, /^task\.timeoutMs must be a number, not "10"/],
    [
      "a time that is no number",
      { ...good, timeoutMs: Number.NaN },
      /^task\.timeoutMs must be a number, not NaN/,
    ],
    [
      "a time without an end",
      { ...good, idleTimeoutMs: Number.POSITIVE_INFINITY },
      /^task\.idleTimeoutMs must be a finite number/,
    ],
    ["a time before now", { ...good, graceMs: -5 }, /^task\.graceMs must be above 0, not -5/],
    ["a signal that is none", { ...good, signal: {} }, /^task\.signal must be an AbortSignal/],
    ["redact as a text", { ...good, redact: "false" }, /^task\.redact must be true or false, not "false"/],
    ["redact as a number", { ...good, redact: 1 }, /^task\.redact must be true or false/],
    ["log as a text", { ...good, log: "no" }, /^task\.log must be true or false/],
    ["a run id that is a number", { ...good, runId: 5 }, /^task\.runId must be a string/],
    ["prices as a table", { ...good, findPrice: {} }, /^task\.findPrice must be a function/],
    [
      "an option of the command",
      { ...good, timeout: 10 },
      /^task\.timeout is not known; did you mean "timeoutMs"/,
    ],
  ])("%s", (_name, task, message) => {
    expect(refusalOf(task)).toMatchObject({
      name: "HarnessError",
      code: "invalid_option",
      message: expect.stringMatching(message),
    });
  });

  it("never shows the value of a variable", () => {
    const secret = { toString: () => "hunter2" };
    for (const env of [{ TOKEN: 12345678 }, { TOKEN: secret }, "TOKEN=12345678"])
      expect(refusalOf({ ...good, env }).message).not.toMatch(/12345678|hunter2/);
  });

  it("of any value that a key cannot have, says the key", () => {
    const keys = Object.keys(TaskSchema.entries).filter((key) => key !== "agent");
    const values = fc.oneof(
      fc.constant(null),
      fc.constant(Symbol("x")),
      fc.constant(10n),
      fc.constant(Number.NaN),
    );
    fc.assert(
      fc.property(fc.constantFrom(...keys), values, (key, value) => {
        const { code, message } = refusalOf({ ...good, [key]: value });
        expect(code).toBe("invalid_option");
        expect(message).toContain(`task.${key}`);
      }),
    );
  });
});

describe("a task that is right, however it is made", () => {
  it("may have keys that are undefined, also unknown ones", () => {
    const keys = Object.keys(TaskSchema.entries).filter((key) => !["agent", "prompt"].includes(key));
    const absent = Object.fromEntries([...keys, "someday"].map((key) => [key, undefined]));
    expect(planAny({ ...absent, ...good }).task).toEqual(planAny(good).task);
  });

  it("may have no prototype, or be an object of a class", () => {
    class Asked {
      agent = "claude";
      prompt = "x";
      get permissions(): string {
        return "read-only";
      }
    }
    expect(planAny(Object.assign(Object.create(null), good)).task).toMatchObject(good);
    expect(planAny(new Asked()).task.permissions).toBe("read-only");
  });

  it("is read once: it cannot be one thing when it is checked and another when it is used", () => {
    const said = ["read-only", "full-access", "full-access"];
    const task = {
      ...good,
      get permissions() {
        return said.shift();
      },
    };
    expect(planAny(task).task.permissions).toBe("read-only");
    const words = ["a"];
    const { task: planned } = planAny({ ...good, extraArgs: words });
    words.push("--dangerous");
    expect(planned.extraArgs).toEqual(["a"]);
  });

  it("that cannot be read is refused", () => {
    const task = {
      ...good,
      get cwd() {
        throw new Error("not now");
      },
    };
    expect(refusalOf(task)).toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("task.cwd cannot be read"),
    });
  });

  it("keeps a definition that is an object of a class", () => {
    class Own {
      #secret = "kept";
      launch() {
        return { args: [this.#secret] };
      }
    }
    const agent = Object.assign(new Own(), { ...testAgent, launch: Own.prototype.launch });
    expect(planAny({ agent, prompt: "x" }).launch.args).toEqual(["kept"]);
  });

  it("has a definition that gives what can be launched", () => {
    const launch = () => ({ args: "--json" });
    const refused = () => planAny({ agent: { ...testAgent, launch }, prompt: "x" });
    expect(refused).toThrow(
      expect.objectContaining({
        code: "launch_failed",
        message: expect.stringContaining("args must be an array"),
      }),
    );
  });
});

it("every built-in agent has a definition that passes", () => {
  for (const agent of agents)
    expect(() => checkOptions(AgentDefinitionSchema, agent, agent.id)).not.toThrow();
});

describe("what a run may do is in its sidecar", () => {
  it.each([
    [undefined, "full-access"],
    ["full-access", "full-access"],
  ] as const)("%s", async (permissions, recorded) => {
    const sessionsDirectory = temporaryDirectory();
    const { result } = await finish("talk", { permissions, sessionsDirectory });
    const meta = JSON.parse(
      readFileSync((result.recording ?? "").replace(/\.ndjson$/, ".meta.json"), "utf8"),
    );
    expect(meta.permissions).toBe(recorded);
  });
});
