import { computed, signal } from "@preact/signals";

/** Every place that can be linked to. Links are behind the `#`, so they never reach the server. */
export type Route =
  | { page: "runs" }
  /** `isOpening`: no tab was asked for, so the run opens where it says most. */
  | { page: "run"; id: string; tab: Tab; isOpening?: boolean; event?: number; line?: number }
  | { page: "compare"; ids: readonly string[] }
  | { page: "batches" }
  /** `cell`: the one that is shown beside the grid. */
  | { page: "batch"; id: string; cell?: string };

export const tabs = ["changes", "timeline", "overview", "raw"] as const;
export type Tab = (typeof tabs)[number];

/** Names that tabs had before. */
const formerTabs: ReadonlyMap<string, Tab> = new Map([["pictures", "overview"]]);

const hash = signal(location.hash);
window.addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed(() => parseRoute(hash.value));
export const query = computed(() => new URLSearchParams(hash.value.split("?")[1] ?? ""));

/**
 * `#/run/ID`: where the run says most. `#/run/ID/timeline/120`: event 120. `#/run/ID/raw/7`: raw line 7. `#/compare/A/B`. `#/batches`. `#/batch/ID/CELL`. Anything
 * else: the list of runs.
 */
export function parseRoute(text: string): Route {
  const [page, ...parts] = (text.replace(/^#\/?/, "").split("?")[0] ?? "").split("/").map(decode);
  const [first, second, third] = parts;
  if (page === "compare" && first && second)
    return { page, ids: parts.filter((id) => id !== "").slice(0, 6) };
  if (page === "batches") return { page };
  if (page === "batch" && first) return { page, id: first, ...(second && { cell: second }) };
  if (page !== "run" || !first) return { page: "runs" };
  const asked = tabs.find((each) => each === second) ?? formerTabs.get(second ?? "");
  const tab = asked ?? "timeline";
  const number = /^\d{1,12}$/.test(third ?? "") ? Number(third) : undefined;
  if (number === undefined) return { page, id: first, tab, isOpening: asked === undefined };
  return tab === "raw" ? { page, id: first, tab, line: number } : { page, id: first, tab, event: number };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function toHash(target: Route): string {
  if (target.page === "runs") return "#/";
  if (target.page === "batches") return "#/batches";
  if (target.page === "batch")
    return `#/batch/${[target.id, target.cell ?? []].flat().map(encodeURIComponent).join("/")}`;
  if (target.page === "compare") return `#/compare/${target.ids.map(encodeURIComponent).join("/")}`;
  const number = target.line ?? target.event;
  const isOpening = target.isOpening ?? (target.tab === "timeline" && number === undefined);
  const place = isOpening ? "" : `/${target.tab}`;
  return `#/run/${encodeURIComponent(target.id)}${place}${number === undefined ? "" : `/${number}`}`;
}

export function go(target: Route, parameters?: URLSearchParams): void {
  setHash(target, parameters, "pushState");
}

/** Changes the address without adding a step to the history. */
export function replace(target: Route, parameters: URLSearchParams = query.value): void {
  setHash(target, parameters, "replaceState");
}

function setHash(
  target: Route,
  parameters: URLSearchParams | undefined,
  how: "pushState" | "replaceState",
): void {
  const search = parameters?.toString() ?? "";
  const next = toHash(target) + (search === "" ? "" : `?${search}`);
  if (next === location.hash) return;
  history[how](null, "", next);
  hash.value = next;
}
