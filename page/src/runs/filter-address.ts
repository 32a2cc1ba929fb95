import { query, replace } from "../router.js";
import { noFilter, periods, type RunFilter, sorts, stateFilters } from "./filter-runs.js";

/** The address contains the filters, so a list can be bookmarked. */
export function readFilter(): RunFilter {
  const text = (name: string): string => query.value.get(name) ?? "";
  const oneOf = <T extends string>(all: readonly T[], name: string, otherwise: T): T =>
    all.find((each) => each === text(name)) ?? otherwise;
  return {
    text: text("q"),
    agent: text("agent"),
    model: text("model"),
    directory: text("directory"),
    period: oneOf(periods, "period", noFilter.period),
    from: text("from"),
    to: text("to"),
    state: oneOf(stateFilters, "state", noFilter.state),
    sort: oneOf(sorts, "sort", noFilter.sort),
    hasBatches: text("batches") === "1",
  };
}

export function setFilter(filter: RunFilter): void {
  const { text, hasBatches, ...rest } = filter;
  const parameters = new URLSearchParams();
  if (text !== "") parameters.set("q", text);
  const others: Omit<RunFilter, "text" | "hasBatches"> = noFilter;
  for (const [name, value] of Object.entries(rest))
    if (value !== Object.entries(others).find(([key]) => key === name)?.[1]) parameters.set(name, value);
  if (hasBatches) parameters.set("batches", "1");
  replace({ page: "runs" }, parameters);
}
