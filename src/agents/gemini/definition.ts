import type { AgentDefinition } from "../definition.js";
import { geminiStreamedText } from "../shared/gemini-stream/streamed-text.js";
import { geminiIsolation } from "./isolation.js";
import { launchGemini } from "./launch.js";
import { geminiLive } from "./live/protocol.js";
import { createGeminiMapping } from "./mapping.js";
import { geminiStore } from "./store/store.js";

export const gemini: AgentDefinition<"gemini"> = {
  id: "gemini",
  name: "Gemini CLI",
  aliases: ["gemini-cli", "google-gemini", "google-gemini-cli"],
  binaries: ["gemini"],
  version: { args: ["--version"], recorded: ["0.61.0"] },
  install: "npm install -g @google/gemini-cli",
  docs: "https://geminicli.com/docs",
  credentials: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
  signIn: "`gemini` and use /auth",
  capabilities: {
    model: true,
    readOnly: true,
    /** Only a file that `GEMINI_SYSTEM_MD` names. */
    systemPrompt: false,
    /** Only the `GEMINI.md` files of the project and the user. */
    appendSystemPrompt: false,
    /** Only the setting `model.maxSessionTurns`. */
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
    /** MCP servers are settings, and those can only be in a home: that of an isolated run, say. */
    allowedTools: true,
  },
  traits: { isStreaming: true },
  logMark: /^\{"type":"init",.*"model":"(?:auto|gemini)|^\{"type":"result",.*"stats":\{.*"cached":/,
  streamedText: geminiStreamedText,
  stderrNoise: noise(),
  isolation: geminiIsolation,
  launch: launchGemini,
  createMapping: createGeminiMapping,
  live: geminiLive,
  store: geminiStore,
};

/** Lines that are printed on every run, or that follow the line with the explanation (0.61.0). */
function noise(): RegExp {
  const lines = [
    "Warning: (?:Basic terminal|256-color)",
    "YOLO mode is enabled",
    "Ripgrep is not available",
    "Loaded cached credentials",
    "\\[STARTUP\\]",
    "\\(node:\\d+\\)",
    "\\(Use `node --trace",
    "Error executing tool ",
    "\\s+at ",
    "\\s+\\[?\\w+\\]?: ",
    "\\s*[}\\])]+,?$",
  ];
  return new RegExp(`^(?:${lines.join("|")})`);
}
