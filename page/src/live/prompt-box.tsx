interface PromptBoxProps {
  label: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
  onSend(): void;
}

/** A field for prompts: Enter sends, Shift-Enter begins a new line. */
export function PromptBox({ label, placeholder, text, onText, onSend }: PromptBoxProps) {
  return (
    <textarea
      rows={2}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={(event) => {
        // Enter also chooses among the characters of an input method.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}
