import { isFresh } from "./cached-registry.js";
import type { LoadedModels } from "./load-models.js";

/**
 * Fetches the registry again if it is a day old, in the background of a run. The new one applies from the next run on.
 * Nothing waits for it, and a failure is not reported: being offline is not an error.
 */
export function refreshRegistry({ url, path, found }: LoadedModels["registry"]): { stop(): void } {
  const controller = new AbortController();
  const { signal } = controller;
  if (url !== undefined && (found === undefined || !isFresh(found, url)))
    // Loaded on demand, since it is needed only once a day.
    import("./update-registry.js")
      .then(({ updateRegistry }) => updateRegistry({ url, path, signal }))
      .catch(() => undefined);
  return { stop: () => controller.abort() };
}
