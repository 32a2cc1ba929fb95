import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { waiting } from "../server/live-runs.js";

const title = signal("harness");

/** The title of the tab says first how many requests of live sessions wait for an answer. */
effect(() => {
  const count = waiting.value;
  document.title = count === 0 ? title.value : `${count} waiting · ${title.value}`;
});

/** Names the tab. Undefined: somebody else does. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) title.value = name;
  }, [name]);
}
