/** The message of a `text_withdrawn` warning: the agent asks again for an answer that was already emitted in part. */
export const withdrawnMessage = "the answer was cut: its text so far is withdrawn";
