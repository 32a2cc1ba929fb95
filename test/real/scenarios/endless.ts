export const begunTrace = "begun.trace";

/** A command that tells that it began, and then outlasts every patience. */
export const endless = `echo begun > ${begunTrace}; sleep 1000`;
