import type { Launch } from "../../definition.js";
import type { LiveTask } from "../../live-contract.js";
import { refuseIgnoredPrompt } from "../launch.js";

/**
 * `codex app-server` on standard input and output. What a session may do is said when its thread starts. Outside of plan mode the
 * model may ask questions only with a feature that Codex calls unfinished, and warns about (0.166.0).
 */
export function launchAppServer(task: LiveTask): Launch {
  if (task.resume !== undefined) refuseIgnoredPrompt(task);
  return {
    args: [
      "app-server",
      "-c",
      "features.default_mode_request_user_input=true",
      "-c",
      "suppress_unstable_features_warning=true",
      ...task.extraArgs,
      ...(task.permissions === "ask" ? withoutUnasked.flatMap((setting) => ["-c", setting]) : []),
    ],
  };
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
