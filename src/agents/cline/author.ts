/** Whose record it is. Cline prints the work of subagents in the same stream, mostly without marking it. */
export interface Author {
  /** True for the agent that was given the task. Its last message is the answer. */
  isLead: boolean;
  /** The call that started the subagent. */
  parentCallId?: string | undefined;
}

export const lead: Author = { isLead: true };
