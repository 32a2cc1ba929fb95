import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const order: readonly Theme[] = ["system", "light", "dark"];

export const theme = signal<Theme>(readTheme());

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
  localStorage.setItem("harness-theme", theme.value);
});

export function nextTheme(): void {
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
}

function readTheme(): Theme {
  const saved = localStorage.getItem("harness-theme");
  return order.find((each) => each === saved) ?? "system";
}
