import { describe, expect, it } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import { resolveAgent } from "../../src/config/configured-agents.js";
import { createConfig } from "../../src/config/load-config.js";
import { checkConfig } from "../../src/config/read-config.js";
import { HarnessError } from "../../src/errors.js";
import { chooseModel } from "../../src/models/choose-model.js";
import { loadModels } from "../../src/models/load-models.js";
import { temporaryDirectory } from "../runs/test-agent.js";

function choose(agent: string, flag: string | undefined, project: string, user = "") {
  const config = createConfig([checkConfig("/p/harness.toml", project), checkConfig("/u/config.toml", user)]);
  const { layers } = loadModels(config, { XDG_CACHE_HOME: temporaryDirectory() });
  return chooseModel(flag, requireAgent(agent), config, layers);
}

describe("the model of a run", () => {
  const project = 'default_model = "opus"\n[agents.opencode]\nmodel = "sonnet"';

  it.each<[string, string | undefined, string, string, string | undefined]>([
    ["the flag", "haiku", project, "", "anthropic/claude-haiku-5-5"],
    ["the agent's setting", undefined, project, "", "anthropic/claude-sonnet-5-5"],
    ["the default", undefined, 'default_model = "opus"', "", "anthropic/claude-opus-5-5"],
    ["the user's, where the project has none", undefined, "", 'default_model = "gpt"', "openai/gpt-6.1-sol"],
    [
      "the project's before the user's",
      undefined,
      'default_model = "opus"',
      'default_model = "gpt"',
      "anthropic/claude-opus-5-5",
    ],
    [
      "the agent's setting before the default of a stronger file",
      undefined,
      'default_model = "opus"',
      '[agents.opencode]\nmodel = "gpt"',
      "openai/gpt-6.1-sol",
    ],
    ["the agent's own id, unchanged", "my/model", project, "", "my/model"],
    ["the agent's own choice", undefined, "", "", undefined],
  ])("is %s", (_title, flag, projectText, userText, expected) => {
    expect(choose("opencode", flag, projectText, userText)).toEqual({
      ...(expected !== undefined && { model: expected }),
      warnings: [],
    });
  });

  it("prefers the project's name to a built-in one, agent by agent", () => {
    const text = '[models.opus]\nclaude = "claude-opus-4-6"';
    expect(choose("claude", "opus", text).model).toBe("claude-opus-4-6");
    expect(choose("opencode", "opus", text).model).toBe("anthropic/claude-opus-5-5");
  });

  it.each([
    ["a flag", "opus", ""],
    ["the agent's setting", undefined, '[agents.codex]\nmodel = "opus"'],
  ])("is passed on with a warning if %s names one without an id for the agent", (_title, flag, text) => {
    const { model, warnings } = choose("codex", flag, text);
    expect(model).toBe("opus");
    expect(warnings).toEqual([
      expect.stringMatching(/^the model "opus" has no id for Codex and is passed on unchanged; /),
    ]);
  });

  it("is the agent's own default, with a warning, if default_model has no id for the agent", () => {
    const { model, warnings } = choose("codex", undefined, 'default_model = "opus"');
    expect(model).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^default_model "opus" has no id for Codex, so the agent's own default is used; /,
      ),
    ]);
  });

  it("is not set by default_model for an agent that takes no model", () => {
    expect(choose("bob", undefined, 'default_model = "opus"')).toEqual({ warnings: [] });
  });

  it("is passed on with a suggestion if it is nearly a name, and without one if it is an id or unknown", () => {
    expect(choose("claude", "opsu", "")).toEqual({
      model: "opsu",
      warnings: [
        'the model "opsu" is not a known name and is passed on to Claude Code unchanged; did you mean "opus"?',
      ],
    });
    expect(choose("claude", "my-own-model", "").warnings).toEqual([]);
    expect(choose("codex", "gpt-5.1-codex", "").warnings).toEqual([]);
    const text = '[models.alpha]\nclaude = "alphas"';
    expect(choose("claude", "alphas", text)).toEqual({ model: "alphas", warnings: [] });
  });

  it("is refused when it is empty", () => {
    expect(() => choose("codex", " ", "")).toThrow(HarnessError);
  });

  it("means the same to a custom agent as to the agent whose launcher it uses", async () => {
    const config = createConfig([checkConfig("/p/harness.toml", '[agents.mine]\ntranslator = "opencode"')]);
    const { layers } = loadModels(config, { XDG_CACHE_HOME: temporaryDirectory() });
    const mine = await resolveAgent("mine", config);
    expect(chooseModel("opus", mine, config, layers).model).toBe("anthropic/claude-opus-5-5");
  });
});
