import { kilo } from "../../../src/agents/kilo/definition.js";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { describeLiveConformance } from "../../support/live-conformance.js";

describeLiveConformance(opencode, ["serve-opencode"]);
describeLiveConformance(kilo, ["serve-kilo"]);
