import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../errors.js";
import { divertComplaints } from "../complain.js";
import type { PrintTarget } from "../output.js";
import { doJob, type JobOutcome, type RunJob, type Work } from "./job.js";

/** What a worker is told. */
export type ToWorker<Given> =
  | { type: "job"; job: RunJob<Given> }
  /** One of the pieces that it sent was taken. */
  | { type: "taken" };

/** What a worker says. `bytes` is what the job printed. */
export type FromWorker =
  | { type: "piece"; bytes: Uint8Array }
  | { type: "done"; outcome: JobOutcome; bytes?: Uint8Array }
  /** The work cannot be done in a worker. */
  | { type: "unfit"; problem: string };

/** The worker's side of `createWorkerLane`. `open` makes the work out of what all jobs share. */
export async function serveJobs<Setup, Given>(open: (setup: Setup) => Promise<Work<Given>>): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("this program is for a worker thread of harness");
  const work = await openWork(open, port);
  if (work === undefined) return;
  let output = createPortOutput(port);
  port.on("message", async (message: ToWorker<Given>) => {
    if (message.type === "taken") return output.taken();
    output = createPortOutput(port);
    const outcome = await doJob(work, message.job, { output });
    const bytes = output.rest();
    say(port, { type: "done", outcome, ...(bytes !== undefined && { bytes }) }, bytes);
  });
}

async function openWork<Setup, Given>(
  open: (setup: Setup) => Promise<Work<Given>>,
  port: MessagePort,
): Promise<Work<Given> | undefined> {
  // The main thread has complained about the configuration already.
  const restore = divertComplaints(() => undefined);
  try {
    return await open(workerData);
  } catch (error) {
    say(port, { type: "unfit", problem: messageOf(error) });
    return undefined;
  } finally {
    restore();
  }
}

/** Long enough to be worth a message. */
const pieceLength = 256 * 1024;
/** How many pieces may be on their way. The next one waits in the worker. */
const mostUntaken = 4;

interface PortOutput extends PrintTarget {
  taken(): void;
  /** What was not sent yet. */
  rest(): Uint8Array | undefined;
}

function createPortOutput(port: MessagePort): PortOutput {
  let parts: Uint8Array[] = [];
  let text = "";
  let length = 0;
  let untaken = 0;
  let wake: (() => void) | undefined;

  function gather(): Uint8Array | undefined {
    if (text !== "") parts.push(Buffer.from(text));
    const [first] = parts;
    const bytes = parts.length > 1 ? Buffer.concat(parts) : first;
    parts = [];
    text = "";
    length = 0;
    return bytes;
  }

  return {
    write(piece) {
      length += piece.length;
      if (typeof piece === "string") text += piece;
      else {
        if (text !== "") parts.push(Buffer.from(text));
        text = "";
        // A copy: it is sent later, and what it is a part of must not be sent with it.
        parts.push(Uint8Array.from(piece));
      }
      const bytes = length < pieceLength ? undefined : gather();
      if (bytes === undefined) return undefined;
      untaken += 1;
      say(port, { type: "piece", bytes }, bytes);
      if (untaken < mostUntaken) return undefined;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    isClosed: false,
    onClose: () => undefined,
    taken() {
      untaken -= 1;
      if (untaken < mostUntaken) wake?.();
    },
    rest: gather,
  };
}

/** Bytes that have their memory for themselves are handed over rather than copied. */
function say(port: MessagePort, message: FromWorker, bytes?: Uint8Array): void {
  const buffer = bytes?.buffer;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes?.byteLength;
  port.postMessage(message, isAlone ? [buffer] : []);
}
