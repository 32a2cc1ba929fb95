import type { StopReason } from "../events/recording-meta.js";
import type { AgentProcess } from "../process/start.js";
import type { Stopped } from "./end-record.js";

export interface StoppingOptions {
  /** Undefined while there is no process. */
  process(): AgentProcess | undefined;
  /** True if the agent has sent its final message and has been silent since. */
  isLingering(): boolean;
  /** The run is being stopped: called once, with the first reason. */
  onStopping(reason: StopReason): void;
}

/** Whether and why a run is being stopped by harness. */
export interface Stopping {
  /** Stops the run. The outcome of an agent that has sent its final message, or has exited, does not change. */
  stop(reason: NonNullable<Stopped["reason"]>, detail?: string): void;
  /** Stops an agent that does not exit after its final message. `announce` is called first, unless there is nothing to stop. */
  stopAfterFinalMessage(announce: () => void): void;
  /** The run is cancelled before there is a process. */
  cancelUnstarted(): void;
  /** Stops a run; kills one that is being stopped already. */
  cancel(): void;
  readonly reason: StopReason | undefined;
  /** For the exit record. */
  readonly stopped: Stopped | undefined;
}

export function createStopping({ process, isLingering, onStopping }: StoppingOptions): Stopping {
  let reason: StopReason | undefined;
  let stopped: Stopped | undefined;

  function begin(why: StopReason): void {
    if (reason !== undefined) return;
    reason = why;
    onStopping(why);
  }

  function stop(why: NonNullable<Stopped["reason"]>, detail?: string): void {
    const child = process();
    const asked: Stopped = { reason: why, ...(detail !== undefined && { detail }) };
    // An agent that exited by itself has its own outcome. What it left behind is stopped all the same.
    if (!child?.hasExited) stopped ??= isLingering() ? { isAfterFinalMessage: true } : asked;
    child?.stop();
    begin(why);
  }

  return {
    stop,
    stopAfterFinalMessage(announce) {
      const child = process();
      if (child?.hasExited || stopped !== undefined) return;
      announce();
      stopped = { isAfterFinalMessage: true };
      child?.stop();
      begin("not_exiting");
    },
    cancelUnstarted() {
      stopped = { reason: "cancelled" };
    },
    cancel() {
      if (reason === undefined) stop("cancelled");
      else process()?.kill();
    },
    get reason() {
      return reason;
    },
    get stopped() {
      return stopped;
    },
  };
}
