/** The page that shows runs, and its server. */
export { isLoopback } from "./host-names.js";
export { startView, type ViewOptions, type ViewServer } from "./server.js";
