import { asFlag, asObject } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Commands } from "./commands.js";

/** What the peer knows about Pi's run, and what it sends because of that. */
export interface RunWatch {
  /** Records of Pi, by type. */
  handlers: Readonly<Record<string, (record: JsonObject) => void>>;
  prompted(): void;
  promptAnswered(response: JsonObject): void;
  steered(): void;
  /** Ends the run, and takes back what was said to it. */
  abort(): void;
}

export function createRunWatch(commands: Commands): RunWatch {
  let isRunning = false;
  let isAborted = false;
  let isSteered = false;
  let isStateAsked = false;

  /** In 0.74 only the next answer says that a turn is over, or that an extension has handled a prompt. */
  function askForState(): void {
    if (isStateAsked) return;
    isStateAsked = true;
    commands.send("get_state", {}, () => {
      isStateAsked = false;
    });
  }

  return {
    handlers: {
      agent_start() {
        isRunning = true;
        // An abort before the start had nothing to end.
        if (isAborted) commands.send("abort");
        isAborted = false;
      },
      agent_end(record) {
        if (record["willRetry"] === undefined) askForState();
      },
      agent_settled() {
        isRunning = false;
      },
      auto_retry_end(record) {
        if (asFlag(record["success"]) === false) askForState();
      },
      compaction_end: askForState,
    },
    prompted() {
      isRunning = false;
      isAborted = false;
      isSteered = false;
    },
    promptAnswered(response) {
      const isUnsaid = asObject(response["data"])?.["disposition"] === undefined;
      if (asFlag(response["success"]) === true && isUnsaid && !isRunning) askForState();
    },
    steered() {
      isSteered = true;
    },
    abort() {
      isAborted = !isRunning;
      // Newer versions go on with what is still in the queue. 0.74 does not know the command.
      if (isSteered) commands.send("clear_queue");
      isSteered = false;
      commands.send("abort");
    },
  };
}
