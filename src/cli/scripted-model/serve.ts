import type { AgentDefinition } from "../../agents/definition.js";
import { agents } from "../../agents/registry.js";
import { locateProgram } from "../../process/locate-program.js";
import { preparableAgents } from "../../testing/environment.js";
import type { ScriptFile } from "../../testing/script-file.js";
import type { ScriptedModel } from "../../testing/server.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodes } from "../exit-codes.js";
import type { StandardOutput } from "../output.js";
import { quote } from "../quote.js";
import type { Stage } from "./stage.js";

/** Prints how each installed agent is pointed at the model, and serves it until a signal or until the reader is gone. */
export async function serveModel(
  model: ScriptedModel,
  script: ScriptFile,
  stage: Stage,
  output: StandardOutput,
): Promise<number> {
  const installed = agents.filter(({ id }) => preparableAgents.includes(id)).filter(isInstalled);
  const stopped = untilStopped(output);
  await output.print(`The scripted model is at ${model.url}. Stop with Ctrl-C.\n\n`);
  if (installed.length === 0)
    await output.print(
      `No agent is installed that could use it; the model knows ${preparableAgents.join(", ")} (harness list says how to install them).\n`,
    );
  for (const agent of installed) {
    const prepared = await stage.prepare(agent.id, model.url);
    await output.print(`${agent.name}:\n${commandFor(agent, prepared, script, stage)}\n\n`);
  }
  await output.print(
    `Or in one go: harness scripted-model --run ${installed[0]?.id ?? "AGENT"}\n\nRequests:\n`,
  );
  await stopped;
  await model.close();
  return exitCodes.success;
}

/** Resolves at a signal, or when the reader is gone. To be called before anything says how to stop it. */
function untilStopped(output: StandardOutput): Promise<void> {
  return new Promise((resolve) => {
    const watch = cancelOnSignals(() => {
      watch.stop();
      resolve();
    });
    output.onClose(resolve);
  });
}

function isInstalled({ name, binaries, install }: AgentDefinition): boolean {
  const wanted = { agentName: name, names: binaries, install };
  return "path" in locateProgram(wanted, { env: process.env, cwd: process.cwd() });
}

/** Set by harness itself, or of no effect on the way to the model. */
const needless: ReadonlySet<string> = new Set(["PWD", "LANG", "TERM"]);

/** The directories below the home need no variable, unless the user has one that leads elsewhere. */
function isNeeded(name: string): boolean {
  return !needless.has(name) && (!name.startsWith("XDG_") || process.env[name] !== undefined);
}

/** A command that can be pasted as it is. */
function commandFor(
  { id }: AgentDefinition,
  { env, args }: Awaited<ReturnType<Stage["prepare"]>>,
  { prompt = "Do what the script says." }: ScriptFile,
  { workspace }: Stage,
): string {
  const variables = Object.entries(env).filter(([name]) => isNeeded(name));
  const words = [
    "--cwd",
    quote(workspace),
    "--prompt",
    quote(prompt),
    "--env",
    ...variables.map(([name, value]) => quote(`${name}=${value}`)),
    ...(args.length === 0 ? [] : ["--", ...args.map(quote)]),
  ];
  return fill(`  harness run --agent ${id}`, words);
}

const columns = 100;

/** As many words in a line as fit, with a line break that a shell ignores. */
function fill(start: string, words: readonly string[]): string {
  const lines: string[] = [];
  let line = start;
  for (const word of words) {
    if (line.length + word.length < columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = `    ${word}`;
    }
  }
  return [...lines, line].join(" \\\n");
}
