import { isFresh } from "./cached-registry.js";
import type { LoadedModels } from "./load-models.js";

/**
 * Fetches the registry again when it is a day old, beside a run that has begun: it counts from the next run on.
 * Nothing waits for it, and when it fails nothing is said: being offline is not an error.
 */
export function refreshRegistry({ url, path, found }: LoadedModels["registry"]): { stop(): void } {
  const controller = new AbortController();
  const { signal } = controller;
  if (url !== undefined && (found === undefined || !isFresh(found, url)))
    // Loaded when it is wanted, which is once a day.
    import("./update-registry.js")
      .then(({ updateRegistry }) => updateRegistry({ url, path, signal }))
      .catch(() => undefined);
  return { stop: () => controller.abort() };
}
