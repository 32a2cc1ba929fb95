import type { AgentDefinition } from "../definition.js";
import { launchCodex } from "./launch.js";
import { appServer, appServerText } from "./live/protocol.js";
import { createCodexMapping } from "./mapping.js";
import { codexStore } from "./store/store.js";

export const codex: AgentDefinition<"codex"> = {
  id: "codex",
  name: "Codex",
  aliases: ["openai-codex", "codex-cli"],
  binaries: ["codex"],
  version: { args: ["--version"], recorded: ["0.166.0"] },
  install: "npm install -g @openai/codex",
  docs: "https://developers.openai.com/codex/cli",
  /** `exec` sends the first one (0.166.0). The second counts only for a provider whose `env_key` names it. */
  credentials: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  signIn: "`codex login`",
  capabilities: {
    model: true,
    readOnly: true,
    /** Only a file can replace the base prompt (`model_instructions_file`). */
    systemPrompt: false,
    appendSystemPrompt: true,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    mcpServers: true,
    /** Which of them a model has is in its catalogue; the provider refuses others (0.166.0). */
    effort: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
    schema: true,
  },
  traits: { isStreaming: true, narrates: true },
  /** Texts of `exec` come whole. The output of a running command may be repeated before it ends. */
  streamedText: { ...appServerText, growing: [{ type: ["item.started", "item.updated"] }] },
  /**
   * The first is printed if standard input is not a terminal, the second if Codex's home is below `/tmp`. The others are lines
   * of its log: errors of tools are for the model, errors while saving follow from the end of the run, and a missing
   * bubblewrap is only advice.
   */
  stderrNoise:
    /^Reading (?:additional input|prompt) from stdin\.\.\.$|^WARNING: proceeding, even though |^\S+Z +ERROR (?:codex_core::(?:tools::router|session): |codex_app_server: Codex could not find bubblewrap )|^\S+Z +(?:WARN|INFO|DEBUG) /,
  harmlessArguments: [/^(?:-c|--config)=model_(?:reasoning_effort|reasoning_summary|verbosity)="?\w+"?$/],
  /**
   * `HOME` is moved too, because it also reads `~/.agents/skills` (0.166.0). Above its working directory it reads nothing
   * but what the repository has. `/etc/codex` belongs to the machine.
   */
  isolation: {
    variables: { HOME: "", CODEX_HOME: ".codex" },
    removed: ["CODEX_SQLITE_HOME"],
    credentials: [{ in: "CODEX_HOME", file: "auth.json" }],
  },
  launch: launchCodex,
  createMapping: createCodexMapping,
  live: appServer,
  store: codexStore,
};
