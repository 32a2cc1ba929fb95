import { codex } from "../../../src/agents/codex/definition.js";
import { describeLiveConformance } from "../../support/live-conformance.js";

describeLiveConformance(codex, ["app-server-codex"]);
