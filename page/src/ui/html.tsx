import { useLayoutEffect, useRef } from "preact/hooks";
import type { Markup } from "../../../src/outputs/html/markup.js";

/** The one way to HTML: what the shared renderers made, which escape everything that an agent said. */
const policy = window.trustedTypes?.createPolicy("harness-markup", { createHTML: (text) => text });

interface HtmlProps {
  markup: Markup;
  class?: string;
  onClick?: (event: MouseEvent) => void;
}

export function Html({ markup, class: className, onClick }: HtmlProps) {
  const element = useRef<HTMLDivElement>(null);
  const { text } = markup;
  useLayoutEffect(() => {
    if (element.current !== null) setHtml(element.current, text);
  }, [text]);
  // biome-ignore lint/a11y: the markup has links of its own, this only hears of their clicks
  return <div ref={element} class={className} onClick={onClick} dir="auto" />;
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
