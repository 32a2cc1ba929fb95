import { useLayoutEffect, useRef } from "preact/hooks";
import type { Markup } from "../../../src/outputs/html/markup.js";

/** The only way to set HTML. It takes markup of the shared renderers, which escape everything that comes from an agent. */
const policy = window.trustedTypes?.createPolicy("harness-markup", { createHTML: (text) => text });

interface HtmlProps {
  markup: Markup;
  /** Inside a button or a paragraph, a span is needed. */
  as?: "div" | "span";
  class?: string;
  onClick?: (event: MouseEvent) => void;
}

export function Html({ markup, as: Element = "div", class: className, onClick }: HtmlProps) {
  const element = useRef<HTMLDivElement & HTMLSpanElement>(null);
  const { text } = markup;
  useLayoutEffect(() => {
    if (element.current !== null) setHtml(element.current, text);
  }, [text]);
  // The markup has links and buttons of its own: this only receives their clicks.
  return <Element ref={element} class={className} onClick={onClick} dir="auto" />;
}

function setHtml(element: HTMLElement, text: string): void {
  const html: { innerHTML: unknown } = element;
  html.innerHTML = policy === undefined ? text : policy.createHTML(text);
}

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(text: string): string },
      ): { createHTML(text: string): object };
    };
  }
}
