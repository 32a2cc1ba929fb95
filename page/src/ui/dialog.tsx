import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => element.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
