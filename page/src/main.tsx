import "virtual:export.css";
import "../style/base.css";
import "../style/virtual-list.css";
import "../style/shell.css";
import "../style/runs.css";
import "../style/run.css";
import "../style/toolbar.css";
import "../style/timeline.css";
import "../style/detail.css";
import "../style/raw.css";
import "../style/values.css";
import "../style/overview.css";
import "../style/changes.css";
import "../style/failure.css";
import "../style/compare.css";
import "../style/batch.css";
import "../style/live.css";
import { render } from "preact";
import { App } from "./app.js";
import { watchRuns } from "./server/live-runs.js";

// The token is no longer needed, so it is removed from the address and the history.
if (location.search !== "") history.replaceState(null, "", location.pathname + location.hash);
watchRuns();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
