import { describe, expect, it } from "vitest";
import { checkPlan, defineBatch, onlyOf } from "../../src/batch/check-plan.js";
import type { BatchPlan } from "../../src/batch/model/plan.js";
import { planOf } from "./support/shell-agent.js";

const task = { id: "a", prompt: "do it" };

/** Plans that are refused, each with the beginning of the message. */
const wrong: Record<string, [plan: unknown, message: string]> = {
  "not an object": [[], "plan must be an object, not an array"],
  "without tasks": [{ name: "x", arms: [{ agent: "claude" }] }, "plan.tasks is missing"],
  "with no tasks": [planOf({ tasks: [] }), "plan.tasks must not be empty"],
  "with no arms": [planOf({ arms: [] }), "plan.arms must not be empty"],
  "with a name that is blank": [planOf({ name: "  " }), "plan.name must not be empty"],
  "with an unknown key": [{ ...planOf(), repeat: 3 }, 'plan.repeat is not known; did you mean "repeats"?'],
  "with an unknown key of a task": [
    planOf({ tasks: [{ ...task, promt: "x" }] } as unknown as BatchPlan),
    'plan.tasks[0].promt is not known; did you mean "prompt"?',
  ],
  "with an unknown key of an arm": [
    planOf({ arms: [{ agent: "claude", modell: "opus" }] } as unknown as BatchPlan),
    'plan.arms[0].modell is not known; did you mean "model"?',
  ],
  "with a task without a prompt": [
    planOf({ tasks: [task, { id: "b" }] } as unknown as BatchPlan),
    "plan.tasks[1].prompt is missing",
  ],
  "with a blank prompt": [
    planOf({ tasks: [{ id: "a", prompt: " \n" }] }),
    "plan.tasks[0].prompt must not be",
  ],
  "with an id that is a path": [planOf({ tasks: [{ ...task, id: "../a" }] }), "plan.tasks[0].id must be"],
  "with two tasks of one id": [
    planOf({ tasks: [task, task] }),
    'plan.tasks[1] has the id "a" of plan.tasks[0]',
  ],
  "with two arms of one default id": [
    planOf({ arms: [{ agent: "claude" }, { agent: "claude", effort: "high" }] }),
    'plan.arms[1] has the id "claude" of plan.arms[0]; give one of them an `id`',
  ],
  "with no repeats": [planOf({ repeats: 0 }), "plan.repeats must be above 0"],
  "with half a repeat": [planOf({ repeats: 1.5 }), "plan.repeats must be a whole number"],
  "with more cells than fit": [planOf({ repeats: 100_001 }), "plan has 100001 cells"],
  "with a limit of an agent that it does not have": [
    planOf({ limits: { claude: 1 } }),
    "plan.limits.claude is not an agent of this plan",
  ],
  "with a negative budget": [planOf({ budgetUsd: -1 }), "plan.budgetUsd must be above 0"],
  "with a workspace of no kind": [
    planOf({ tasks: [{ ...task, workspace: { svn: "x" } }] } as unknown as BatchPlan),
    "plan.tasks[0].workspace must be an object with `git`, `copy` or `empty`",
  ],
  "with a ref that is an option": [
    planOf({ tasks: [{ ...task, workspace: { git: ".", ref: "--upload-pack=x" } }] }),
    "plan.tasks[0].workspace.ref must not begin with a hyphen",
  ],
  "with an address as a repository": [
    planOf({ tasks: [{ ...task, workspace: { git: "https://example.com/a.git" } }] }),
    "plan.tasks[0].workspace.git must be a directory of this machine",
  ],
  "with a value of a variable that is no text": [
    planOf({ arms: [{ agent: "x", env: { A: 1 } }] } as unknown as BatchPlan),
    "plan.arms[0].env.A must be a string",
  ],
};

describe("a plan", () => {
  it.each(Object.entries(wrong))("%s is refused", (_name, [plan, message]) => {
    expect(() => checkPlan(plan)).toThrow(expect.objectContaining({ code: "invalid_plan" }));
    expect(() => checkPlan(plan)).toThrow(message);
  });

  it("gets its defaults, and ids from agents and models", () => {
    const plan = checkPlan({
      name: "x",
      tasks: [task],
      arms: [{ agent: "claude" }, { agent: "opencode", model: "openrouter/some model" }],
    });
    expect(plan).toMatchObject({ repeats: 1, retries: 3, isolated: true, limits: {} });
    expect(plan.concurrency).toBeGreaterThanOrEqual(1);
    expect(plan.concurrency).toBeLessThanOrEqual(4);
    expect(plan.arms.map(({ id }) => id)).toEqual(["claude", "opencode-openrouter-some-model"]);
    expect(plan.tasks[0]?.workspace).toEqual({ empty: true });
  });

  it("gets absolute paths, but a program's name stays a name", () => {
    const plan = checkPlan(
      planOf({
        tasks: [
          { ...task, workspace: { git: "cart", ref: "main" } },
          { ...task, id: "b", workspace: { copy: "dir" } },
        ],
        arms: [
          { agent: "x", home: "home", binary: "./bin/x" },
          { agent: "y", binary: "y" },
        ],
      }),
    );
    const at = (path: string) => `${process.cwd()}/${path}`;
    expect(plan.tasks.map(({ workspace }) => workspace)).toEqual([
      { git: at("cart"), ref: "main" },
      { copy: at("dir") },
    ]);
    expect(plan.arms).toMatchObject([{ home: at("home"), binary: at("bin/x") }, { binary: "y" }]);
  });

  it("may limit an agent by another of its names", () => {
    const plan = checkPlan(planOf({ arms: [{ agent: "claude-code" }], limits: { claude: 2 } }));
    expect(plan.limits).toEqual({ claude: 2 });
  });

  it("that was checked is accepted again, and unchanged", () => {
    const plan = checkPlan(planOf({ repeats: 3, limits: { shell: 1 } }));
    expect(checkPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it("of defineBatch is the plan that was given", () => {
    const plan = planOf();
    expect(defineBatch(plan)).toBe(plan);
    expect(() => defineBatch(planOf({ repeats: -1 }))).toThrow("plan.repeats");
  });
});

describe("only", () => {
  const plan = checkPlan(
    planOf({
      tasks: [task, { ...task, id: "b" }],
      arms: [{ agent: "x" }, { agent: "y" }],
      limits: { x: 1, y: 2 },
    }),
  );

  it("keeps the tasks and arms that it names, and all of a kind that it does not", () => {
    const { tasks, arms, limits } = onlyOf(plan, ["b", "y"]);
    expect([tasks.map(({ id }) => id), arms.map(({ id }) => id), limits]).toEqual([["b"], ["y"], { y: 2 }]);
    expect(onlyOf(plan, ["a"]).arms).toHaveLength(2);
    expect(onlyOf(plan, [])).toBe(plan);
  });

  it("refuses an id that the plan does not have", () => {
    expect(() => onlyOf(plan, ["c"])).toThrow('the plan has no task and no arm "c"');
  });
});
