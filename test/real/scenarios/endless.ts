export const begunTrace = "begun.trace";

/** A command that leaves a trace when it starts, and then outlasts every timeout. */
export const endless = `echo begun > ${begunTrace}; sleep 1000`;
