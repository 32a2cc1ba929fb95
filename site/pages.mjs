/**
 * What the site consists of, in the order of its navigation: the file in the repository, and where it is on the site.
 * `site/build.mjs` fails if a page of `docs/` is missing here.
 */

/** @typedef {{ title: string, from: string, to: string, hidden?: true }} Page */

const page = (title, from, to = from.replace(/^docs\//, "")) => ({ title, from, to });

/** Pages that the build makes. They have no file in the repository. */
export const generated = {
  library: { title: "Library: harness-stream", to: "reference/library/index.md" },
  core: { title: "Library: harness-stream/core", to: "reference/library/core.md" },
  testing: { title: "Library: harness-stream/testing", to: "reference/library/testing.md" },
  agents: { title: "Library: harness-stream/agents/*", to: "reference/library/agents.md" },
};

/** @type {{ title: string, about: string, pages: (Page | { title: string, to: string })[] }[]} */
export const groups = [
  {
    title: "Start",
    about: "From nothing to a CI job in ten minutes.",
    pages: [
      page("Tutorial", "docs/start/tutorial.md"),
      page("Install", "docs/start/install.md"),
      page("Your first run", "docs/start/first-run.md"),
      page("Questions and answers", "docs/start/faq.md"),
    ],
  },
  {
    title: "Guides",
    about: "One task each, with an example that you can copy.",
    pages: [
      page("CI jobs", "docs/guides/ci.md"),
      page("Chat", "docs/guides/chat.md"),
      page("Live sessions", "docs/live.md"),
      page("A test bench", "docs/guides/test-bench.md"),
      page("Batches", "docs/batch.md"),
      page("Batches on many machines", "docs/scale.md"),
      page("Use the library", "docs/library.md"),
      page("An agent of your own", "docs/custom-agents.md"),
      page("Dashboards", "docs/guides/dashboards.md"),
      page("Recordings", "docs/recordings.md"),
      page("Watch runs in a browser", "docs/view.md"),
      page("Permissions and safety", "docs/guides/safety.md"),
      page("Rules for permissions", "docs/permissions.md"),
      page("Test without a key", "docs/testing.md"),
      page("Troubleshooting", "docs/guides/troubleshooting.md"),
    ],
  },
  {
    title: "Other tools",
    about: "What a run looks like to the tools that you have.",
    pages: [
      page("Overview", "docs/interop/README.md", "interop/index.md"),
      page("GitHub Actions", "docs/interop/github.md"),
      page("OpenTelemetry", "docs/interop/otlp.md"),
      page("Webhooks", "docs/interop/webhook.md"),
      page("Vercel AI SDK", "docs/interop/ui-message.md"),
      page("AG-UI", "docs/interop/ag-ui.md"),
      page("Agent Client Protocol", "docs/interop/acp.md"),
      page("Claude's stream-json", "docs/interop/claude.md"),
      page("ATIF trajectories", "docs/interop/atif.md"),
      page("JUnit", "docs/interop/junit.md"),
      page("Agents that run agents (MCP)", "docs/interop/mcp.md"),
      page("Sessions that agents keep", "docs/interop/import.md"),
      page("HTTP API", "docs/reference/http-api.md"),
    ],
  },
  {
    title: "Reference",
    about: "Every event, format, option, key and code.",
    pages: [
      page("Commands", "docs/reference/cli.md"),
      page("Configuration", "docs/reference/configuration.md"),
      page("HTTP API", "docs/reference/http-api.md"),
      page("Events", "docs/events.md"),
      page("Formats", "docs/output.md"),
      page("Outcomes and exit codes", "docs/outcomes.md"),
      page("Errors", "docs/errors.md"),
      page("Models and prices", "docs/models.md"),
      page("What each agent supports", "docs/coverage.md"),
      generated.library,
      generated.core,
      generated.testing,
      generated.agents,
      page("Stable names", "docs/stable-names.md"),
      page("Versions", "VERSIONING.md", "reference/versions.md"),
      page("Changes", "CHANGELOG.md", "reference/changes.md"),
    ],
  },
  {
    title: "Engineering",
    about: "How it is built, how fast it is, and how it was proved.",
    pages: [
      page("Architecture", "ARCHITECTURE.md", "engineering/architecture.md"),
      page("Contributing", "CONTRIBUTING.md", "engineering/contributing.md"),
      page("Security", "docs/security.md"),
      page("Reliability", "docs/reliability.md"),
      page("Performance", "docs/performance.md"),
      page("Real agents", "docs/real-agents.md"),
      page("Decisions", "docs/decisions/README.md", "decisions/index.md"),
      page("Live protocols", "docs/protocols/README.md", "protocols/index.md"),
    ],
  },
];

/** Folders whose pages are reached from their index, and are not in the navigation. */
export const folders = ["docs/decisions", "docs/protocols"];

/** Pages that the site replaces with its own front page. */
export const frontPages = ["README.md", "docs/README.md"];
