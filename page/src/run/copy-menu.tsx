import { useEffect, useRef } from "preact/hooks";
import { copyRunAsJson, copyRunAsMarkdown } from "./copy-item.js";
import type { ViewState } from "./view-state.js";

/** Copies the whole run. */
export function CopyMenu({ view }: { view: ViewState }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target)) return;
      if (menu.current !== null) menu.current.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const choose = (copy: () => void) => () => {
    copy();
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details class="menu" ref={menu}>
      <summary>Copy</summary>
      <div class="menu-items">
        <button type="button" class="quiet" onClick={choose(() => copyRunAsJson(view.source))}>
          Copy JSON <small>its events, one per line</small>
        </button>
        <button
          type="button"
          class="quiet"
          onClick={choose(() => copyRunAsMarkdown(view.source, view.cwd.value))}
        >
          Copy Markdown <small>a transcript</small>
        </button>
      </div>
    </details>
  );
}
