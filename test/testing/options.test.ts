import { expect, it } from "vitest";
import { startScriptedModel } from "../../src/testing/index.js";

const scenario = { turns: [] };

it.each([
  [undefined, /scenario is missing/],
  [{}, /scenario is missing/],
  [{ scenario: {} }, /scenario is missing/],
  [{ scenario, ports: 1 }, /"ports" is not an option; the options are scenario, agent, workspace, port/],
  [{ scenario, port: -1 }, /port must be a whole number/],
  [{ scenario, port: "80" }, /port must be a whole number/],
  [{ scenario, agent: "nobody" }, /nobody/],
])("a scripted model does not start with %j", async (options, message) => {
  await expect((startScriptedModel as (options: unknown) => Promise<unknown>)(options)).rejects.toThrow(
    message,
  );
});
