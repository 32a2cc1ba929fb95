import { useLayoutEffect, useRef } from "preact/hooks";

export type Keys = Readonly<Record<string, () => void>>;

/** The keys that move in a list: down, up, to its first row and to its last one. */
export function moveKeys(
  moveTo: (row: number) => void,
  { at, first = 0, last }: { at: number; first?: number; last: number },
): Keys {
  return {
    j: () => moveTo(at + 1),
    k: () => moveTo(at - 1),
    ArrowDown: () => moveTo(at + 1),
    ArrowUp: () => moveTo(at - 1),
    g: () => moveTo(first),
    G: () => moveTo(last),
  };
}

/** Handles keys as long as the component is shown. Keys are ignored while the user types and while a dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const action = latest.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** Enter and the space bar belong to the control that has the focus. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("input:not([type=checkbox], [type=range]), textarea, select")) return true;
  return (key === "Enter" || key === " ") && target.matches("button, a, input, summary, [role=button]");
}
