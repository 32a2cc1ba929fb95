import type { ActionKind, ActionOf, ToolInput } from "../actions.js";
import type { AdvertisedTool, ToolResult } from "../model-request.js";

/** How the neutral actions look as calls of one agent's tools. Data and tiny functions, no state. */
export interface ToolTable {
  /** The agent's id. */
  readonly agent: string;
  /** Tools by which a request of this agent is recognised. The table that knows most of them is used. */
  readonly tools: readonly string[];
  /** The tool that runs commands: what the agent has no tool of its own for goes through it. */
  readonly shell: Way<"runCommand">;
  readonly ways: { readonly [Kind in ActionKind]?: readonly Way<Kind>[] };
  /** True when the tools only take absolute paths. */
  readonly needsAbsolutePaths?: boolean;
  /** Requests without tools that are not the conversation (a title, a summary), by their instructions. */
  readonly sideRequests?: RegExp;
  /** A call that the agent needs before the script goes on, decided from the results that just came. */
  readonly followUp?: (results: readonly ToolResult[]) => ToolUse | undefined;
  /** The tool that must carry the final answer, when it is advertised (Gemini's subagents). */
  readonly answer?: Way<"runCommand">;
}

/** One way to do an action. The first way whose tool is advertised is taken. */
export interface Way<Kind extends ActionKind> {
  readonly tool: string;
  /** A list stands for several calls. */
  readonly input: (action: ActionOf<Kind>, tool: AdvertisedTool) => Input | readonly ToolInput[];
}

/** A string is freeform input. */
export type Input = ToolInput | string;

export interface ToolUse {
  readonly tool: string;
  readonly namespace?: string;
  readonly input: Input;
}
