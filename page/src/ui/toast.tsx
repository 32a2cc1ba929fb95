import { signal } from "@preact/signals";

interface Message {
  id: number;
  text: string;
  isProblem: boolean;
}

const messages = signal<readonly Message[]>([]);
const shownMs = 6000;
let lastId = 0;

/** Shows a message for a few seconds. */
export function say(text: string, isProblem = false): void {
  lastId += 1;
  const id = lastId;
  messages.value = [...messages.value.slice(-2), { id, text, isProblem }];
  setTimeout(() => {
    messages.value = messages.value.filter((message) => message.id !== id);
  }, shownMs);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {messages.value.map(({ id, text, isProblem }) => (
        <p key={id} class={isProblem ? "toast problem" : "toast"}>
          {text}
        </p>
      ))}
    </div>
  );
}
