import { HarnessError, messageOf, systemCode } from "../../errors.js";
import { readScript, type ScriptFile } from "../../testing/script-file.js";
import { type ScriptedModel, startScriptedModel } from "../../testing/server.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { builtInScript } from "./built-in-script.js";
import type { ScriptedModelFlags } from "./command.js";
import { describeExchange } from "./describe-exchange.js";
import { readScriptFile } from "./read-script-file.js";
import { serveModel } from "./serve.js";
import { createStage } from "./stage.js";
import { tryAgent } from "./try-agent.js";

/** Plays a script to agents: to one that is run here, or to whoever asks. */
export async function scriptedModelAction(
  prompt: string | undefined,
  flags: ScriptedModelFlags,
): Promise<number> {
  const output = createOutput(process.stdout);
  if (flags.printScript) {
    await output.printJson(builtInScript);
    return exitCodes.success;
  }
  const script = flags.script === undefined ? readScript(builtInScript) : readScriptFile(flags.script);
  const stage = createStage(script.files, flags.cwd);
  try {
    if (flags.run !== undefined)
      return await tryAgent({ name: flags.run, prompt, flags, script, stage, start, output });
    const model = await start(script, flags.port, (line) => void output.print(line));
    return await serveModel(model, script, stage, output);
  } finally {
    stage.remove();
  }
}

/** Starts the model. `log` gets a line for each request that it has answered. */
async function start(
  { scenario }: ScriptFile,
  port: number | undefined,
  log?: (line: string) => void,
): Promise<ScriptedModel> {
  try {
    return await startScriptedModel({
      scenario,
      ...(port !== undefined && { port }),
      ...(log !== undefined && { onAnswer: (request) => log(describeExchange(request)) }),
    });
  } catch (error) {
    const isTaken = systemCode(error) === "EADDRINUSE";
    const message = isTaken
      ? `port ${port} is in use; choose another one, or leave --port out for any free one`
      : `the model cannot listen on 127.0.0.1: ${messageOf(error)}`;
    throw new HarnessError("cannot_listen", message, { cause: error });
  }
}
