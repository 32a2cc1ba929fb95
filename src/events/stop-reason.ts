/** Why a run is being stopped. `not_exiting`: the agent has said its last word, or failed for good, and does not exit. */
export type StopReason = "cancelled" | "timed_out" | "stalled" | "not_exiting";
