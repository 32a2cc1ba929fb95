import { requireAgent } from "../../agents/registry.js";
import { HarnessError } from "../../errors.js";
import { preparableAgents } from "../../testing/environment.js";
import type { ScriptFile } from "../../testing/script-file.js";
import type { ScriptedModel } from "../../testing/server.js";
import { formatNumberOf } from "../../text/numbers.js";
import { suggestFrom } from "../../text/suggest.js";
import { note } from "../complain.js";
import type { StandardOutput } from "../output.js";
import { printRun } from "../running/print-run.js";
import type { ScriptedModelFlags } from "./command.js";
import type { Stage } from "./stage.js";

export interface Trial {
  /** As the user named the agent. */
  name: string;
  prompt: string | undefined;
  flags: ScriptedModelFlags;
  script: ScriptFile;
  stage: Stage;
  start(script: ScriptFile, port: number | undefined): Promise<ScriptedModel>;
  output: StandardOutput;
}

/** Runs one agent with the model, through everything that a run goes through, and prints its stream. */
export async function tryAgent({
  name,
  flags,
  script,
  stage,
  start,
  output,
  ...given
}: Trial): Promise<number> {
  const agent = requireAgent(name);
  if (!preparableAgents.includes(agent.id)) {
    const message = `the scripted model does not know ${agent.name}${suggestFrom(agent.id, preparableAgents, "it knows")}`;
    throw new HarnessError("unsupported_option", message);
  }
  const prompt = given.prompt ?? script.prompt;
  if (prompt === undefined || prompt.trim() === "")
    throw new HarnessError(
      "no_prompt",
      `the script has no prompt; give one: harness scripted-model --run ${agent.id} --script ${flags.script ?? "FILE"} "…"`,
    );
  const model = await start(script, flags.port);
  try {
    const { env, args } = await stage.prepare(agent.id, model.url);
    forgetOwnVariables();
    note(
      `${agent.name} is real, and its model is a script: it needs no key and costs nothing.\nTokens, and a cost if one is shown, are made up.\n\n`,
    );
    const task = {
      agent,
      prompt,
      cwd: stage.workspace,
      env,
      extraArgs: args,
      binary: flags.binary,
      log: flags.log,
      // Its tokens are made up, and its session ends with its home.
      isDemo: true,
      // No price: the model's tokens are made up.
      findPrice: () => undefined,
    };
    const printing = { ...flags, quiet: undefined, outputFile: undefined };
    const exitCode = await printRun(task, agent, printing, output);
    if (process.stdout.isTTY && flags.format === "text")
      note(`\nThe model answered ${formatNumberOf(model.requests.length, "request")}. ${nextStep(flags)}\n`);
    return exitCode;
  } finally {
    await model.close();
  }
}

function nextStep({ script }: ScriptedModelFlags): string {
  return script === undefined
    ? "To write your own script: harness scripted-model --print-script > script.json"
    : "";
}

/** What a program needs of its surroundings, and what harness itself reads. */
const kept =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LC_.*|XDG_.*|HARNESS_.*|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/**
 * Keys, addresses of other models and settings in the user's environment would reach the agent, which must know only the
 * script. This process does nothing else, so it forgets them.
 */
function forgetOwnVariables(): void {
  for (const name of Object.keys(process.env)) if (!kept.test(name)) delete process.env[name];
}
