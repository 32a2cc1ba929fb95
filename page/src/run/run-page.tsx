import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RunAbout } from "../../../src/server/protocol.js";
import { promptOf } from "../../../src/story/run-record.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { findImported } from "../import/imported.js";
import { LiveDock } from "../live/live-dock.js";
import { openRecorded, type RunSource } from "../model/run-source.js";
import { go, route, type Tab, tabs } from "../router.js";
import { useKeys } from "../ui/keys.js";
import { useTitle } from "../ui/title.js";
import { ChangesTab } from "./changes-tab.js";
import { CopyMenu } from "./copy-menu.js";
import { hasFailedRun } from "./failure-panel.js";
import { Overview } from "./overview.js";
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

const titles: Record<Tab, string> = {
  changes: "Changes",
  timeline: "Timeline",
  overview: "Overview",
  raw: "Raw",
};

/** A run that failed opens with the reason, one that changed something with its changes. What is under way is followed. */
function openingTab(about: RunAbout | undefined): Tab | undefined {
  if (about === undefined) return undefined;
  if (about.row.outcome === "running") return "timeline";
  if (hasFailedRun(about) && about.row.outcome !== "cancelled") return "overview";
  return (about.changes?.files ?? 0) > 0 ? "changes" : "timeline";
}

/** The tab of the address. Without one, the run opens where it says most, and stays there when it ends. */
function useTab({ about }: RunSource): Tab | undefined {
  const opened = useRef<Tab | undefined>(undefined);
  opened.current ??= openingTab(about.value);
  const place = route.value;
  if (place.page !== "run") return undefined;
  return place.isOpening === true ? opened.current : place.tab;
}

export function RunPage({ id }: { id: string }) {
  const view = useMemo(() => createViewState(findImported(id) ?? openRecorded(id)), [id]);
  const { source, isReplaying } = view;
  useEffect(() => source.close, [source]);
  useEffect(() => {
    if (source.state.value === "live") view.isFollowing.value = true;
  }, [source.state.value, view, source]);
  const place = route.value;
  useTitle(titleOf(source));
  const tab = useTab(source);
  const show = (next: Tab): void => go({ page: "run", id, tab: next, isOpening: false });
  useKeys({
    ...Object.fromEntries(tabs.map((each, index) => [String(index + 1), () => show(each)])),
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
        <TabList tab={tab} onShow={show} />
        <span class="space" />
        <CopyMenu view={view} />
        <button
          type="button"
          class="quiet"
          aria-pressed={isReplaying.value}
          title="Replay (p)"
          aria-label="Replay"
          onClick={() => {
            isReplaying.value = !isReplaying.value;
          }}
        >
          ▷ <span class="replay-word">Replay</span>
        </button>
      </div>
      <div
        id="tab-panel"
        class="tab-panel"
        role="tabpanel"
        aria-labelledby={tab === undefined ? undefined : `tab-${tab}`}
      >
        {tab === "changes" && <ChangesTab view={view} />}
        {tab === "timeline" && (
          <TimelineTab view={view} target={place.page === "run" ? place.event : undefined} />
        )}
        {tab === "overview" && (
          <Overview view={view} onEvent={(event) => go({ page: "run", id, tab: "timeline", event })} />
        )}
        {tab === "raw" && <RawTab view={view} target={place.page === "run" ? place.line : undefined} />}
      </div>
      {isReplaying.value ? <ReplayBar view={view} /> : <LiveDock view={view} />}
    </main>
  );
}

/** The tab of the browser has the prompt as its title. */
function titleOf({ about, model, id }: RunSource): string {
  model.version.value;
  const prompt = about.value === undefined ? "" : promptOf({ meta: about.value, events: model.events });
  return `${toVisibleLine(prompt, 80) || id} · harness`;
}

function TabList({ tab, onShow }: { tab: Tab | undefined; onShow(tab: Tab): void }) {
  return (
    <div role="tablist" aria-label="Views of this run">
      {tabs.map((each, index) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          title={`${titles[each]} (${index + 1})`}
          aria-selected={tab === each}
          aria-controls="tab-panel"
          onClick={() => onShow(each)}
        >
          {titles[each]}
        </button>
      ))}
    </div>
  );
}
