import type { Launch } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { refuseIgnoredPrompt, taskSettings } from "../launch.js";

/**
 * `codex app-server` on standard input and output. What a session may do is said when its thread starts. Outside of plan mode the
 * model may ask questions only with a feature that Codex calls unfinished, and warns about (0.166.0).
 */
export function launchAppServer(task: LiveTask): Launch {
  if (task.resume !== undefined) refuseIgnoredPrompt(task);
  const { settings, env } = taskSettings(task);
  return {
    args: [
      "app-server",
      "-c",
      "features.default_mode_request_user_input=true",
      "-c",
      "suppress_unstable_features_warning=true",
      ...settings.flatMap((setting) => ["-c", setting]),
      ...task.extraArgs,
      ...(task.permissions === "ask" ? askingSettings(task).flatMap((setting) => ["-c", setting]) : []),
    ],
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function askingSettings({ cwd }: LiveTask): string[] {
  return [...withoutUnasked, `projects={ ${foldersTo(cwd).map(untrusted).join(", ")} }`];
}

/**
 * A thread that may write makes Codex trust its project, for good and in the user's own configuration, and then commands that
 * the project's rules allow run without asking (0.166.0). Each folder up to the root can have such rules.
 */
function untrusted(folder: string): string {
  return `${JSON.stringify(folder)} = { trust_level = "untrusted" }`;
}

/** The folder and those around it. */
function foldersTo(path: string): string[] {
  const ends = [...path.matchAll(/[\\/]+/g)].map(({ index }) => path.slice(0, index)).filter(Boolean);
  return [...new Set([path, ...ends.reverse()])];
}

/**
 * What Codex would do without asking, although it was set to ask: reading pictures, searching the web by way of the provider,
 * saving pictures that it makes, and read-only tools of plugins.
 */
const withoutUnasked = [
  "features.view_image=false",
  'web_search="disabled"',
  "features.image_generation=false",
  "features.plugins=false",
];
