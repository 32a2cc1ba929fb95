import { pi } from "../../../src/agents/pi/definition.js";
import { describeLiveConformance } from "../../support/live-conformance.js";

describeLiveConformance(pi, ["rpc-pi-0.74.2", "rpc-pi-0.87.1"]);
