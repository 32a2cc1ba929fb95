import { HarnessError } from "../../errors.js";
import type { ControlState, SessionControl } from "../../live/control/session-control.js";
import type { PermissionRules } from "../../live/rules/rule.js";
import type { Summary } from "../../story/create-summary.js";
import type { RunSummary } from "../../story/run-summary.js";
import { formatNumberOf, formatShortCount, formatUsd } from "../../text/numbers.js";
import { suggest } from "../../text/suggest.js";
import type { Desk } from "./desk.js";

/** What the commands of a chat need. */
export interface CommandHost {
  control: SessionControl;
  state: ControlState | undefined;
  summary: Summary;
  desk: Desk;
  agentName: string;
  runId: string;
  /** How they are named, or the rules themselves if this process has them. */
  permissions: string | PermissionRules;
  /** Names of models for the agent. */
  models: readonly string[];
  /** The id of a model that people name. */
  resolveModel(name: string): string;
  /** Sessions that can be gone on with, one on each line. */
  resumable(): Promise<string[]>;
  /** Ends this session and goes on with another one. */
  resume(id: string): Promise<void>;
  leave(): void;
}

interface ChatCommand {
  /** As it is typed: `/model [name]`. */
  usage: string;
  about: string;
  /** Returns what is to be shown. */
  run(text: string, host: CommandHost): Promise<string> | string;
}

const commands: Readonly<Record<string, ChatCommand>> = {
  help: { usage: "/help", about: "this list", run: help },
  model: { usage: "/model [name]", about: "the model, or another one from the next turn on", run: model },
  steer: { usage: "/steer text", about: "add to the turn that runs, where the agent can", run: steer },
  queue: { usage: "/queue", about: "the prompts that wait", run: queue },
  skip: { usage: "/skip", about: "decline the question that is asked", run: skip },
  rules: { usage: "/rules", about: "what the agent may do, and what you have allowed", run: rules },
  diff: { usage: "/diff", about: "the files that were changed so far", run: diff },
  cost: { usage: "/cost", about: "tokens and cost so far", run: cost },
  resume: { usage: "/resume [id]", about: "end this session and go on with another one", run: resume },
  quit: { usage: "/quit", about: "end the chat (also: Ctrl-D)", run: quit },
};

/** Carries out what follows the `/`. Rejects with a `HarnessError` if it cannot. */
export async function runCommand(text: string, host: CommandHost): Promise<string> {
  const [, name = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command.run(rest.trim(), host);
  const meant = suggest(name, Object.keys(commands));
  const hint = meant === undefined ? "" : ` (did you mean /${meant}?)`;
  throw new HarnessError(
    "invalid_option",
    `there is no command /${name}${hint}; /help shows them all, and //${name} sends /${name} to the agent`,
  );
}

function help(): string {
  const all = Object.values(commands);
  const width = Math.max(...all.map(({ usage }) => usage.length)) + 2;
  return [
    ...all.map(({ usage, about }) => `${usage.padEnd(width)}${about}`),
    `${"//text".padEnd(width)}send /text to the agent`,
    "Enter sends; Alt-Enter, or \\ and Enter, adds a line. Ctrl-C interrupts, Ctrl-D ends.",
  ].join("\n");
}

async function model(text: string, host: CommandHost): Promise<string> {
  const { control, state, agentName, models } = host;
  const canSet = state?.can.setModel !== false;
  if (text === "") {
    const names = canSet && models.length > 0 ? [`Others: ${models.join(", ")}`] : [];
    return [`Model: ${state?.model ?? "the agent's own default"}`, ...names].join("\n");
  }
  if (!canSet)
    throw new HarnessError(
      "unsupported_option",
      `${agentName} cannot change its model in a session; begin another one with --model`,
    );
  await control.setModel(host.resolveModel(text));
  return `Model from the next turn on: ${text}`;
}

async function steer(text: string, { control, state, agentName }: CommandHost): Promise<string> {
  if (text === "") throw new HarnessError("empty_prompt", "write what the agent is to know behind /steer");
  if (state?.can.steer === false)
    throw new HarnessError(
      "unsupported_option",
      `${agentName} cannot be steered; write a prompt, which waits for its turn`,
    );
  const isBusy = state?.isBusy ?? false;
  await control.send(text, { whileBusy: "steer" });
  return isBusy ? `Added to the turn: ${text}` : "";
}

function queue(_text: string, { state }: CommandHost): string {
  const waiting = state?.queue ?? [];
  if (waiting.length === 0) return "No prompt waits.";
  return waiting.map(({ prompt }, index) => `${index + 1}  ${prompt}`).join("\n");
}

function skip(_text: string, { desk }: CommandHost): string {
  if (desk.skip()) return "";
  throw new HarnessError("invalid_option", "there is no question to decline now");
}

function rules(_text: string, { permissions, desk }: CommandHost): string {
  const inForce =
    typeof permissions === "string"
      ? [`Permissions: ${permissions.replaceAll("-", " ")}`]
      : (["deny", "ask", "allow"] as const).flatMap((list) =>
          (permissions[list] ?? []).map((rule) => `${list.padEnd(7)}${rule}`),
        );
  const isKept = typeof permissions === "string" && permissions !== "rules";
  const granted = desk.granted.map(({ what, note }) => {
    const about = ["added by you", ...(note === "" ? [] : [note])].join(", ");
    return `${(isKept ? "always" : "allow").padEnd(7)}${what}  (${about})`;
  });
  const rest = isKept ? [] : ["What no rule names is asked."];
  return [...inForce, ...granted, ...rest].join("\n");
}

const shownFiles = 40;

function diff(_text: string, { summary, runId }: CommandHost): string {
  const { changes, filesWritten } = summary.read();
  if (changes === undefined) {
    if (filesWritten.length === 0) return "Nothing was changed so far.";
    return filesWritten.map(({ path }) => path).join("\n");
  }
  if (changes.files.length === 0) return "Nothing was changed so far.";
  const shown = changes.files.slice(0, shownFiles);
  const more = changes.files.length - shown.length + (changes.moreFiles ?? 0);
  const letters = { added: "A", modified: "M", deleted: "D", renamed: "R" };
  return [
    ...shown.map(
      ({ kind, path, insertions, deletions }) => `${letters[kind]}  ${path}  +${insertions} −${deletions}`,
    ),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${describeChanges(changes)}; the whole diff: harness sessions diff ${runId}`,
  ].join("\n");
}

/** `3 files changed +12 −4` */
export function describeChanges({
  files,
  moreFiles = 0,
  insertions,
  deletions,
}: NonNullable<RunSummary["changes"]>): string {
  return `${formatNumberOf(files.length + moreFiles, "file")} changed +${insertions} −${deletions}`;
}

function cost(_text: string, { summary }: CommandHost): string {
  const { tokens, costUsd, costSource } = summary.spent;
  const { turns = [] } = summary.read();
  const parts = [
    formatNumberOf(turns.length, "turn"),
    tokens === undefined ? "tokens not known yet" : `${formatShortCount(tokens)} tokens`,
    costUsd === undefined
      ? "cost not known"
      : `${formatUsd(costUsd)}${costSource === undefined ? "" : " estimated"}`,
  ];
  return parts.join(" · ");
}

async function resume(text: string, host: CommandHost): Promise<string> {
  if (text !== "") {
    await host.resume(text);
    return "";
  }
  const lines = await host.resumable();
  if (lines.length === 0) return "There is no other session to go on with in this directory.";
  return [...lines, "Go on with one of them: /resume ID"].join("\n");
}

function quit(_text: string, { leave }: CommandHost): string {
  leave();
  return "";
}
