import type { AgentDefinition } from "../definition.js";
import { launchDroid } from "./launch.js";
import { createDroidMapping } from "./mapping.js";

/** Factory's Droid. Every text comes whole, and no cost is reported: `factory_credits` are not dollars. */
export const droid: AgentDefinition<"droid"> = {
  id: "droid",
  name: "Droid",
  aliases: ["factory", "factory-droid", "factory-ai", "droid-cli"],
  binaries: ["droid"],
  version: { args: ["--version"], recorded: ["0.225.2"] },
  install: "curl -fsSL https://app.factory.ai/cli | sh",
  docs: "https://docs.factory.ai/cli/droid-exec/overview",
  credentials: ["FACTORY_API_KEY"],
  signIn: "`droid` and sign in there",
  capabilities: {
    model: true,
    readOnly: true,
    systemPrompt: false,
    appendSystemPrompt: true,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    /** MCP servers are only in its settings. Which levels a model has is in `droid exec --help`. */
    effort: ["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"],
    allowedTools: true,
  },
  /**
   * On SIGTERM, SIGINT and SIGHUP Droid kills the command that it runs, treats that as a failed command, and asks its model
   * again (0.225.2). Only a signal that it cannot catch stops it.
   */
  traits: { isStreaming: true, stopSignal: "SIGKILL" },
  harmlessArguments: [/^--reasoning-effort=\w+$/, /^--disable-builtin-skills$/, /^--tag=[\w.-]+$/],
  launch: launchDroid,
  /** Managed settings (`/etc/factory`) are the machine's, and still hold. */
  isolation: {
    variables: { HOME: "", FACTORY_HOME_OVERRIDE: "" },
    removed: ["FACTORY_RUNTIME_SETTINGS_PATH", "FACTORY_APPEND_SYSTEM_PROMPT"],
    credentials: [
      { in: "FACTORY_HOME_OVERRIDE", file: ".factory/auth.v2.file" },
      { in: "FACTORY_HOME_OVERRIDE", file: ".factory/auth.v2.key" },
    ],
    inherited: [".factory/settings.json", ".factory/settings.local.json"],
  },
  createMapping: createDroidMapping,
};
