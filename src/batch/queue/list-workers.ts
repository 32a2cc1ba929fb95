import { connectQueue } from "./connection.js";
import { type AnnouncedWorker, listAnnounced } from "./registry.js";

/** The workers of a queue, of every version, with what they do now. Throws a `HarnessError` if the server does not answer. */
export async function listWorkers(
  url: string,
  onNotice: (sentence: string) => void = () => {},
): Promise<AnnouncedWorker[]> {
  const { redis, close } = await connectQueue({ url, onNotice });
  try {
    const workers = await listAnnounced(redis, "worker");
    return workers.sort((one, other) => (one.name < other.name ? -1 : 1));
  } finally {
    close();
  }
}
