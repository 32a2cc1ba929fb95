import { signal } from "@preact/signals";
import { BatchPage } from "./batch/batch-page.js";
import { BatchesPage } from "./batches/batches-page.js";
import { ComparePage } from "./compare/compare-page.js";
import { chooseLog, DropZone } from "./import/drop-zone.js";
import { route } from "./router.js";
import { RunPage } from "./run/run-page.js";
import { RunsPage } from "./runs/runs-page.js";
import { batches } from "./server/live-batches.js";
import { connection } from "./server/stream.js";
import { NewRunDialog } from "./start/new-run.js";
import { HelpDialog } from "./ui/help.js";
import { useKeys } from "./ui/keys.js";
import { nextTheme, theme } from "./ui/theme.js";
import { useTitle } from "./ui/title.js";
import { Toasts } from "./ui/toast.js";

type Open = "none" | "help" | "new-run";
const open = signal<Open>("none");

export function App() {
  const close = (): void => {
    open.value = "none";
  };
  useKeys({
    "?": () => {
      open.value = "help";
    },
    s: () => {
      open.value = "new-run";
    },
    o: chooseLog,
    t: nextTheme,
  });
  return (
    <>
      <Title />
      <TopBar />
      <Page />
      <DropZone />
      {open.value === "help" && <HelpDialog onClose={close} />}
      {open.value === "new-run" && <NewRunDialog onClose={close} />}
      <Toasts />
    </>
  );
}

/** A run names its own tab. */
function Title() {
  useTitle(titleOfPage());
  return null;
}

function Page() {
  const place = route.value;
  if (place.page === "run") return <RunPage key={place.id} id={place.id} />;
  if (place.page === "compare") return <ComparePage key={place.ids.join(" ")} ids={place.ids} />;
  if (place.page === "batches") return <BatchesPage />;
  if (place.page === "batch") return <BatchPage key={place.id} id={place.id} />;
  return <RunsPage />;
}

const states = {
  connecting: "Connecting",
  open: "Live",
  lost: "Reconnecting",
  refused: "Signed out",
};

function TopBar() {
  const state = connection.value;
  return (
    <>
      <header class="top">
        <a class="home" href="#/" aria-label="harness">
          <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
            <path d="M8 7h16l-6.5 9L24 25H8l6.5-9z" />
          </svg>
          <span class="home-name">harness</span>
        </a>
        <Navigation />
        <span class={`connection ${state}`} role="status">
          {states[state]}
        </span>
        <span class="space" />
        <button
          type="button"
          class="quiet"
          title="Open an agent’s log or a raw.jsonl (o). You can also drop it on the page."
          onClick={chooseLog}
        >
          Open log
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            open.value = "new-run";
          }}
        >
          New run
        </button>
        <button
          type="button"
          class="quiet"
          onClick={nextTheme}
          aria-label={`Colours: ${theme.value}`}
          title="Colours (t)"
        >
          {theme.value === "system" ? "◐" : theme.value === "light" ? "☀" : "☾"}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="Keys and help"
          title="Keys and help (?)"
          onClick={() => {
            open.value = "help";
          }}
        >
          ?
        </button>
      </header>
      {state === "lost" && (
        <p class="banner" role="alert">
          The server does not answer. This page reconnects as soon as <code>harness view</code> runs again.
        </p>
      )}
      {state === "refused" && (
        <p class="banner" role="alert">
          The server no longer accepts this page. Open the address that <code>harness view</code> printed.
        </p>
      )}
    </>
  );
}

function Navigation() {
  const { page } = route.value;
  const isOfBatches = page === "batches" || page === "batch";
  return (
    <nav class="nav" aria-label="Pages">
      <a href="#/" aria-current={isOfBatches ? undefined : page === "runs" ? "page" : "true"}>
        Runs
      </a>
      <a href="#/batches" aria-current={isOfBatches ? (page === "batches" ? "page" : "true") : undefined}>
        Batches
      </a>
    </nav>
  );
}

/** Undefined: the page of a run gives itself the title, because it knows its prompt first. */
function titleOfPage(): string | undefined {
  const place = route.value;
  if (place.page === "runs") return "Runs · harness";
  if (place.page === "compare") return "Compare · harness";
  if (place.page === "batches") return "Batches · harness";
  if (place.page === "batch")
    return `${batches.value.find(({ id }) => id === place.id)?.name ?? place.id} · harness`;
  return undefined;
}
