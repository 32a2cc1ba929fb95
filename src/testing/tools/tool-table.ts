import type { ActionFields, ActionKind, ToolInput } from "../actions.js";
import type { AdvertisedTool, ToolResult } from "../model-request.js";

/** Maps actions to calls of one agent's tools. Data and small functions, without state. */
export interface ToolTable {
  /** The agent's id. */
  readonly agent: string;
  /** The tools by which a request of this agent is recognised. The table that knows most of them is used. */
  readonly tools: readonly string[];
  /** The tool that runs commands. It is also used for actions without a tool of their own. */
  readonly shell: readonly Way<"runCommand">[];
  readonly ways: { readonly [Kind in ActionKind]?: readonly Way<Kind>[] };
  /** The agent's name for a tool of an MCP server. */
  readonly mcpTool?: (server: string, tool: string) => { tool: string; namespace?: string };
  /** Set if the tools accept only absolute paths. It finds the workspace in the agent's prompts. */
  readonly needsAbsolutePaths?: RegExp;
  /** Matches the instructions of requests outside the conversation (a title, a summary). */
  readonly sideRequests?: RegExp;
  /** Matches the last message of requests that repeat the conversation and ask for something outside it. */
  readonly sideQuestions?: RegExp;
  /** Matches answers that the agent itself invents for the model, to open a conversation. */
  readonly inventedAnswers?: RegExp;
  /** Matches tools that the agent itself calls in the model's name. */
  readonly inventedCalls?: RegExp;
  /** A call that is needed before the script continues, decided from all results so far. */
  readonly followUp?: (results: readonly ToolResult[]) => ToolUse | undefined;
  /** The tool that must carry the final answer, if it is advertised. */
  readonly answer?: { readonly tool: string; readonly input: (text: string) => ToolInput };
}

/** One way to do an action. The first way whose tool is advertised is used. */
export interface Way<Kind extends ActionKind> {
  readonly tool: string;
  /** A list stands for several calls. */
  readonly input: (action: ActionFields[Kind], tool: AdvertisedTool) => Input | readonly ToolInput[];
}

/** A string is freeform input. */
export type Input = ToolInput | string;

/** One call of one of the agent's tools. */
export interface ToolUse {
  readonly tool: string;
  readonly namespace?: string;
  readonly input: Input;
}
