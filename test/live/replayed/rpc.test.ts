import { pi } from "../../../src/agents/pi/definition.js";
import { describeReplayed } from "../support/describe-replayed.js";

describeReplayed(pi, {
  folders: ["rpc-pi-0.74.2", "rpc-pi-0.87.1"],
  without: ["end-mid-turn", "interrupt-idle", "steer-idle", "second-while-busy"],
});
