import { signal } from "@preact/signals";

/** The current time, updated every second, for runs and calls under way. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 1000);

/** `just now`, `4 min ago`, `3 h ago`, or else the day. */
export function toAgo(timestamp: string, at: number): string {
  const seconds = (at - Date.parse(timestamp)) / 1000;
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  return new Date(timestamp).toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

export function toMoment(timestamp: string): string {
  return new Date(timestamp).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
