import { useEffect, useMemo } from "preact/hooks";
import { findImported } from "../import/imported.js";
import { LiveDock } from "../live/live-dock.js";
import { openRecorded, type RunSource } from "../model/run-source.js";
import { go, route, type Tab, tabs } from "../router.js";
import { useKeys } from "../ui/keys.js";
import { CopyMenu } from "./copy-menu.js";
import { Pictures } from "./pictures.js";
import { RawTab } from "./raw-tab.js";
import { ReplayBar } from "./replay-bar.js";
import { RunHead } from "./run-head.js";
import { TimelineTab } from "./timeline-tab.js";
import { createViewState } from "./view-state.js";

/** A run of a batch leads back to its grid. */
function leave({ about }: RunSource): void {
  const batch = about.value?.row.batch;
  go(batch === undefined ? { page: "runs" } : { page: "batch", id: batch.id, cell: batch.cell });
}

const titles: Record<Tab, string> = { timeline: "Timeline", pictures: "Pictures", raw: "Raw" };

export function RunPage({ id }: { id: string }) {
  const view = useMemo(() => createViewState(findImported(id) ?? openRecorded(id)), [id]);
  const { source, isReplaying } = view;
  useEffect(() => source.close, [source]);
  useEffect(() => {
    if (source.state.value === "live") view.isFollowing.value = true;
  }, [source.state.value, view, source]);
  const place = route.value;
  const tab = place.page === "run" ? place.tab : "timeline";
  const show = (next: Tab): void => go({ page: "run", id, tab: next });
  useKeys({
    "1": () => show("timeline"),
    "2": () => show("pictures"),
    "3": () => show("raw"),
    p: () => {
      isReplaying.value = !isReplaying.value;
    },
    Escape: () => {
      if (isReplaying.value) isReplaying.value = false;
      else leave(source);
    },
  });
  if (source.state.value === "refused")
    return (
      <main class="empty">
        <h1>This run cannot be shown</h1>
        <p>{source.problem.value}</p>
        <p>
          <a href="#/">Back to the runs</a>
        </p>
      </main>
    );
  return (
    <main class="run-page">
      <RunHead view={view} />
      <div class="tabs-bar">
        <div role="tablist" aria-label="Views of this run">
          {tabs.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              id={`tab-${each}`}
              aria-selected={tab === each}
              aria-controls="tab-panel"
              onClick={() => show(each)}
            >
              {titles[each]}
            </button>
          ))}
        </div>
        <span class="space" />
        <CopyMenu view={view} />
        <button
          type="button"
          class="quiet"
          aria-pressed={isReplaying.value}
          title="Replay (p)"
          onClick={() => {
            isReplaying.value = !isReplaying.value;
          }}
        >
          ▷ Replay
        </button>
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "timeline" && (
          <TimelineTab view={view} target={place.page === "run" ? place.event : undefined} />
        )}
        {tab === "pictures" && (
          <Pictures view={view} onEvent={(event) => go({ page: "run", id, tab: "timeline", event })} />
        )}
        {tab === "raw" && <RawTab view={view} target={place.page === "run" ? place.line : undefined} />}
      </div>
      {isReplaying.value ? <ReplayBar view={view} /> : <LiveDock view={view} />}
    </main>
  );
}
