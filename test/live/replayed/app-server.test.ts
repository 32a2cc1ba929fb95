import { codex } from "../../../src/agents/codex/definition.js";
import { transcriptNames } from "../../support/transcripts.js";
import { describeReplayed } from "../support/describe-replayed.js";

for (const folder of ["app-server-codex"]) describeReplayed(codex, folder, transcriptNames(folder));
