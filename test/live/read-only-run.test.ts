import { expect, it } from "vitest";
import { planTask } from "../../src/live/run.js";

it.each(["opencode", "kilo"])(
  "runs %s read-only in a live session, whose rules a project cannot open",
  (agent) => {
    const argsFor = (permissions: "full-access" | "read-only") =>
      planTask({ agent, prompt: "Look around", permissions }).launch.args;
    expect(argsFor("read-only")[0]).toBe("serve");
    expect(argsFor("full-access")[0]).toBe("run");
  },
);
