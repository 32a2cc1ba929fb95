import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { HarnessError, problemOf } from "../../errors.js";
import { viewTokenVariable } from "../../process/environment.js";
import { defaultRecordingsDirectory } from "../../runs/recording/paths.js";
import { addressOf, announceServer } from "../../server/announced-server.js";
import { isLoopback } from "../../server/host-names.js";
import { type PageServer, startServer } from "../../server/server.js";
import { complain, note } from "../complain.js";
import { isTrustedByVariable } from "../configuration.js";
import { endingSignals } from "../ending-signals.js";
import { createOutput } from "../output.js";
import type { ViewFlags } from "./command.js";

/** Serves the page until a signal asks it to stop. */
export async function viewAction(flags: ViewFlags): Promise<number> {
  const { port, host, open, directory, batches } = flags;
  if (flags.openapi) return printOpenApi();
  if (directory !== undefined) requireDirectory("--directory", directory, "recordings");
  if (batches !== undefined) requireDirectory("--batches", batches, "batches");
  const trust = isTrustedByVariable();
  const token = takeToken();
  const server = await startServer({ port, host, directory, batchesDirectory: batches, trust, token });
  const withdraw = announce(server, directory);
  if (!isLoopback(host)) note(warning(host));
  const controller = new AbortController();
  const { signal } = controller;
  // Before the row that says how to stop it: whoever reads it may do so at once.
  const stopped = Promise.race(
    endingSignals().map((name) => once(process, name, { signal }).catch(() => undefined)),
  );
  const output = createOutput(process.stdout);
  if (flags.json) await output.write(`${JSON.stringify(addressOf(server))}\n`);
  else await output.print(`Runs are shown at ${server.url}\nStop with Ctrl-C.\n`);
  if (open) openInBrowser(server.urlForOnce());
  await stopped;
  controller.abort();
  withdraw();
  await server.close();
  return 0;
}

/** The description of the HTTP API. No server is started for it. */
async function printOpenApi(): Promise<number> {
  const { createOpenApi } = await import("../../server/v1/openapi.js");
  await createOutput(process.stdout).printJson(createOpenApi());
  return 0;
}

/** Programs that we start must not have what lets somebody start agents: no agent, and no browser. */
function takeToken(): string | undefined {
  const token = process.env[viewTokenVariable];
  delete process.env[viewTokenVariable];
  return token === "" ? undefined : token;
}

/** Lets other programs of the user find the server. It is useful without that, too. */
function announce(server: PageServer, directory: string | undefined): () => void {
  try {
    return announceServer({
      ...addressOf(server),
      directory: resolve(directory ?? defaultRecordingsDirectory()),
    });
  } catch (error) {
    complain(`other programs cannot find this server: its file cannot be written: ${problemOf(error)}`);
    return () => undefined;
  }
}

function requireDirectory(option: string, directory: string, content: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new HarnessError(
    "no_directory",
    `${option} ${directory}: there is no such directory; name one that holds ${content}, or leave it out`,
  );
}

function warning(host: string): string {
  return [
    `harness: warning: ${host} can be reached from other machines, and the connection is not encrypted.`,
    "harness: whoever gets the address with its token sees every run and can start agents as you.",
    "",
  ].join("\n");
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** If there is no browser, the address has been printed anyway. */
function openInBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => complain("no browser could be opened; open the address yourself"));
  child.unref();
}
