import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, makeCells } from "../../src/batch/make-cells.js";
import type { BatchPlan, BatchTask } from "../../src/batch/model/plan.js";
import type { Source } from "../../src/batch/model/source.js";
import { headOf } from "./support/cells.js";

const task: BatchTask = { id: "a", prompt: "do it", workspace: { git: "/repository" } };
const git: Source = { kind: "git", repository: "/repository", commit: "1".repeat(40) };

function idsOf(plan: Partial<BatchPlan> = {}, source: Source = git, arm = "hash"): string[] {
  const head = headOf({ tasks: [task], ...plan });
  const sources = Object.fromEntries(head.plan.tasks.map(({ id }) => [id, source]));
  const arms = Object.fromEntries(head.plan.arms.map(({ id }) => [id, arm]));
  return makeCells({ ...head, sources, arms }).map(({ id }) => id);
}

describe("the id of a cell", () => {
  it("begins with c and has 15 hexadecimal digits", () => {
    for (const id of idsOf({ repeats: 50 })) expect(id).toMatch(/^c[0-9a-f]{15}$/);
  });

  /** A change of any of these can change the result. */
  const changes: Record<string, () => string[]> = {
    prompt: () => idsOf({ tasks: [{ ...task, prompt: "do it!" }] }),
    setup: () => idsOf({ tasks: [{ ...task, setup: "true" }] }),
    "setup timeout": () => idsOf({ tasks: [{ ...task, setupTimeoutMs: 5 }] }),
    check: () => idsOf({ tasks: [{ ...task, check: "true" }] }),
    "check timeout": () => idsOf({ tasks: [{ ...task, checkTimeoutMs: 5 }] }),
    schema: () => idsOf({ tasks: [{ ...task, schema: { type: "object" } }] }),
    timeout: () => idsOf({ tasks: [{ ...task, timeoutMs: 5 }] }),
    "timeout of the plan": () => idsOf({ timeoutMs: 6 }),
    "idle timeout": () => idsOf({ idleTimeoutMs: 5 }),
    task: () => idsOf({ tasks: [{ ...task, id: "b" }] }),
    commit: () => idsOf({}, { ...git, commit: "2".repeat(40) }),
    "kind of source": () => idsOf({}, { kind: "empty" }),
    content: () => idsOf({}, { kind: "copy", from: "/x", hash: "1".repeat(40) }),
    arm: () => idsOf({}, git, "another hash"),
    "name of the arm": () => idsOf({ arms: [{ agent: "shell", id: "other" }] }),
  };
  it.each(Object.entries(changes))("changes with the %s", (_name, ids) => {
    expect(ids()[0]).not.toBe(idsOf()[0]);
  });

  /** These cannot change the result of a run. */
  const indifferent: Record<string, () => string[]> = {
    name: () => idsOf({ name: "other" }),
    concurrency: () => idsOf({ concurrency: 7 }),
    budget: () => idsOf({ budgetUsd: 5 }),
    retries: () => idsOf({ retries: 9 }),
    "place of the repository": () => idsOf({}, { ...git, repository: "/elsewhere" }),
    "path of the workspace": () => idsOf({ tasks: [{ ...task, workspace: { git: "/elsewhere" } }] }),
  };
  it.each(Object.entries(indifferent))("stays when the %s changes", (_name, ids) => {
    expect(ids()).toEqual(idsOf());
  });

  it("stays whatever is around the cell, and in which order", () => {
    const id = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const tasks = fc.uniqueArray(
      fc.record({ id, prompt: fc.string({ minLength: 1 }).map((x) => `do ${x}`) }),
      {
        selector: (one) => one.id,
        minLength: 1,
        maxLength: 5,
      },
    );
    const arms = fc.uniqueArray(fc.record({ agent: id }), {
      selector: (one) => one.agent,
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(tasks, arms, fc.integer({ min: 1, max: 4 }), (someTasks, someArms, repeats) => {
        const whole = { tasks: someTasks, arms: someArms, repeats };
        const reversed = { tasks: someTasks.toReversed(), arms: someArms.toReversed(), repeats };
        const ids = idsOf(whole);
        expect(new Set(ids).size).toBe(someTasks.length * someArms.length * repeats);
        expect(idsOf(reversed).sort()).toEqual([...ids].sort());
        for (const one of someTasks)
          for (const id of idsOf({ ...whole, tasks: [one] })) expect(ids).toContain(id);
      }),
    );
  });
});

it("the arms of a batch take turns, repetition by repetition", () => {
  const head = headOf({
    tasks: [task, { ...task, id: "b" }],
    arms: [{ agent: "x" }, { agent: "y" }],
    repeats: 2,
  });
  const order = makeCells(head).map(({ task, arm, repetition }) => `${repetition} ${task.id} ${arm.id}`);
  expect(order).toEqual(["1 a x", "1 a y", "1 b x", "1 b y", "2 a x", "2 a y", "2 b x", "2 b y"]);
});

it("a hash does not depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(hashOf(reversed)).toBe(hashOf(value));
      expect(hashOf({ value, more: 1 })).not.toBe(hashOf({ value }));
    }),
  );
});
