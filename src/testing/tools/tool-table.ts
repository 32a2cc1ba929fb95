import type { ActionFields, ActionKind, ToolInput } from "../actions.js";
import type { AdvertisedTool, ToolResult } from "../model-request.js";

/** How the neutral actions look as calls of one agent's tools. Data and tiny functions, no state. */
export interface ToolTable {
  /** The agent's id. */
  readonly agent: string;
  /** Tools by which a request of this agent is recognised: the table that knows most of them is used. */
  readonly tools: readonly string[];
  /** The tool that runs commands. What the agent has no tool of its own for goes through it. */
  readonly shell: readonly Way<"runCommand">[];
  readonly ways: { readonly [Kind in ActionKind]?: readonly Way<Kind>[] };
  /** What the agent calls a tool of an MCP server. */
  readonly mcpTool?: (server: string, tool: string) => { tool: string; namespace?: string };
  /** Set when the tools only take absolute paths: what finds the workspace in the agent's prompts. */
  readonly needsAbsolutePaths?: RegExp;
  /** Requests beside the conversation (a title, a summary), recognised by their instructions. */
  readonly sideRequests?: RegExp;
  /** Answers that the agent itself puts into the model's mouth, to open a conversation. */
  readonly inventedAnswers?: RegExp;
  /** A call that is needed before the script goes on, decided from all results so far. */
  readonly followUp?: (results: readonly ToolResult[]) => ToolUse | undefined;
  /** The tool that has to carry the final answer wherever it is advertised. */
  readonly answer?: { readonly tool: string; readonly input: (text: string) => ToolInput };
}

/** One way to do an action. The first way whose tool is advertised is taken. */
export interface Way<Kind extends ActionKind> {
  readonly tool: string;
  /** A list stands for several calls. */
  readonly input: (action: ActionFields[Kind], tool: AdvertisedTool) => Input | readonly ToolInput[];
}

/** A string is freeform input. */
export type Input = ToolInput | string;

export interface ToolUse {
  readonly tool: string;
  readonly namespace?: string;
  readonly input: Input;
}
