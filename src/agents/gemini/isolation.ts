import { asObject } from "../../text/fields.js";
import { parseJson } from "../../text/parse-json.js";
import { toJson } from "../../text/to-json.js";
import type { Isolation } from "../isolation.js";

/**
 * Its own variable moves `~`, in which it also looks for `.agents` and `.env` (0.61.0). `/etc/gemini-cli` belongs to the machine. A
 * key in `~/.gemini/.env` does not reach an isolated run, because settings may be in that file too.
 */
export const geminiIsolation: Isolation = {
  variables: { GEMINI_CLI_HOME: "" },
  removed: ["GEMINI_SYSTEM_MD", "GEMINI_CLI_TRUSTED_FOLDERS_PATH"],
  credentials: [
    ...["oauth_creds.json", "google_accounts.json", "gemini-credentials.json"].map((file) => ({
      in: "GEMINI_CLI_HOME",
      file: `.gemini/${file}`,
    })),
    { in: "GEMINI_CLI_HOME", file: ".gemini/settings.json", excerpt: { take: takeSignIn } },
  ],
  inherited: [".gemini/.env", ".env"],
};

/** Without it, a run does not know which of the credentials to use. */
function takeSignIn(own: string): string | undefined {
  const auth = asObject(asObject(asObject(parseJson(withoutComments(own)))?.["security"])?.["auth"]);
  return auth && toJson({ security: { auth } });
}

function withoutComments(text: string): string {
  return text.replace(stringOrComment, (found) => (found.startsWith("/") ? "" : found));
}

const stringOrComment = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
