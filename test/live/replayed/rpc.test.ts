import { pi } from "../../../src/agents/pi/definition.js";
import { transcriptNames } from "../../support/transcripts.js";
import { describeReplayed } from "../support/describe-replayed.js";

for (const folder of ["rpc-pi-0.74.2", "rpc-pi-0.87.1"]) describeReplayed(pi, folder, transcriptNames(folder));
