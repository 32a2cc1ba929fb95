/** Who a record is about. Cline prints what subagents do in the same stream, mostly without saying so. */
export interface Author {
  /** The agent that was given the task; what it says last is the answer. */
  isLead: boolean;
  /** The call that set a subagent to work. */
  parentCallId?: string | undefined;
}

export const lead: Author = { isLead: true };
