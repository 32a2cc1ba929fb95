import type { FailureKind } from "./failure.js";

/** Kinds in the order in which they are tried, each with the phrases that identify it. */
export type WordTable = readonly (readonly [kind: FailureKind, patterns: readonly RegExp[]])[];

/*
 * The text may be the last twenty lines that a program printed, including a stack trace or an answer about billing
 * code. So every pattern is a phrase that only a failure of that kind uses, never a single
 * word: `unknown` is better than a wrong kind.
 */

/** Words that leave no doubt, whatever the status is: providers send 400 or 429 for many of these. */
export const certainWords: WordTable = [
  [
    "context_overflow",
    [
      /\bprompt (?:is )?too long\b/i,
      /\b(?:exceed\w*|too (?:large|long) for|ran out of room in)\b[^\n]{0,60}\bcontext (?:window|length|size|limit)\b/i,
      /\bcontext (?:window|length|size|limit)\b[^\n]{0,20}\b(?:exceeded|overflow\w*)\b/i,
      /\bcontext_(?:length|window)_exceeded\b/i,
      /\bmaximum context length\b/i,
      /\bcontext still exceeds\b/i,
      /\binput (?:is )?too (?:long|large)\b/i,
      /\binput token count\b[^\n]{0,40}\bexceeds\b/i,
      /\bexceeds the model.s prompt budget\b/i,
    ],
  ],
  [
    // Limits of a subscription that pass by themselves. They are also called usage limits, so they come before quota.
    "rate_limit",
    [
      /\b(?:session|hourly|daily|weekly|\d+[- ]hour|opus|sonnet|haiku|fable|fast)(?: [\w-]+){0,2} limit (?:was |has been )?(?:reached|exceeded|hit)\b/i,
      /\b(?:hit|reached|exceeded) your (?:[\w'’-]+ ){0,2}(?:session|hourly|daily|weekly|\d+[- ]hour)(?: [\w-]+){0,2} limit\b/i,
      /\bclaude (?:ai )?usage limit reached\b/i,
      /\btemporarily limiting requests\b/i,
    ],
  ],
  [
    "quota",
    [
      /(?<!\bdisk )\bquota (?:has been |was )?(?:exceeded|reached|exhausted)\b/i,
      /\bindividual limit (?:has been |was )?reached\b/i,
      /\bkey limit (?:has been |was )?(?:exceeded|reached)\b/i,
      /\b(?:hit|reached|exceeded) your (?:[\w'’-]+ ){0,2}(?:monthly (?:[\w-]+ )?limit|spend(?:ing)? limit|shared budget)\b/i,
      /\breached your specified (?:\w+ ){0,3}usage limits?\b/i,
      /\b(?:exceeded|exhausted) (?:your|the) (?:\w+ ){0,2}quota\b/i,
      /\binsufficient[_ ](?:quota|credits?|balance|funds)\b/i,
      /\bout of (?:\w+ )?credits?\b/i,
      /\brequires more credits\b/i,
      /\bcredit balance is too low\b/i,
      /\bcredits? (?:are |have been )?exhausted\b/i,
      /\b(?:add|purchase|buy) more credits\b/i,
      /\bcheck your plan and billing\b/i,
      /\bbilling (?:hard )?limit\b/i,
      /\b(?:hit|reached|exceeded) (?:your|the) usage limit\b/i,
      /\busage limit (?:has been |was )?(?:reached|exceeded)\b/i,
      /\bupgrade your (?:plan|subscription)\b/i,
    ],
  ],
  [
    "rate_limit",
    [
      /\brate[- ]limits? (?:was |has been )?(?:exceeded|reached|hit)\b/i,
      /\b(?:exceed\w*|hit|reached) (?:your|the|our) (?:\w+ ){0,3}rate[- ]limits?\b/i,
      /\brate[- ]limited\b/i,
      /\brate_limit_(?:error|exceeded)\b/i,
      /\btoo many requests\b/i,
      /\btoo many tokens, please wait\b/i,
      /\b(?:hit|reached) your (?:[\w-]+ )?limit\b/i,
    ],
  ],
  [
    "refusal",
    [
      /\bunable to respond to this request\b/i,
      /\bviolat\w*\b[^\n]{0,40}\bpolic(?:y|ies)\b/i,
      /\bblocked by\b[^\n]{0,40}\bcontent filter\b/i,
      /\bblocked due to (?:safety|prohibited content)\b/i,
      /\breason: content_filter\b/i,
      /\bflagged (?:as|for) (?:possible|potential)/i,
      /\bmodel refused to (?:answer|respond)\b/i,
    ],
  ],
  [
    "output_limit",
    [
      /\boutput[- ]tokens?[- ](?:maximum|limit)\b/i,
      /\boutput length limit\b/i,
      /\breason: max_output_tokens\b/i,
    ],
  ],
  [
    "max_turns",
    [
      /\b(?:reached|exceeded|hit) (?:the )?max(?:imum)?(?: number of)?(?: session)? (?:turns|iterations|steps|actions)\b/i,
      /\bmax(?:imum)?[ _](?:number of )?(?:turns|iterations) (?:\(\d+\) )?(?:reached|exceeded)\b/i,
      /\bturn limit (?:reached|exceeded)\b/i,
    ],
  ],
  [
    "budget",
    [
      /\b(?:reached|exceeded) (?:the )?max(?:imum)? (?:budget|cost)\b/i,
      /\bmax(?:imum)? (?:budget|cost)\b[^\n]{0,20}\b(?:reached|exceeded)\b/i,
      /\bbudget (?:limit )?(?:reached|exceeded)\b/i,
    ],
  ],
  [
    "model_not_found",
    [
      /\bissue with the selected model\b/i,
      /\bmodel(?:[ :]+(?:["'`][^"'`\n]{1,80}["'`]|[\w.:@]*[\d/-][\w./:@-]*))? (?:does not exist|(?:was |is )?not found|is not (?:supported|available)|is unknown)\b/i,
      /\bmodel ["'`]?[\w./:@-]{1,80}["'`]? (?:is )?not supported\b/i,
      /["'`][\w./:@-]+["'`] model is not (?:supported|available)\b/i,
      /\b(?:unknown|no such|unsupported) model\b/i,
      /\binvalid model (?:name|id|identifier|selection)\b/i,
      /\bmodels\/[\w.-]+ is not found\b/i,
      /\bmodel_not_found\b|ProviderModelNotFound/i,
    ],
  ],
  [
    "auth",
    [
      /\b(?:invalid|incorrect|missing(?: an)?|expired|no) api key\b/i,
      /\bapi key (?:is |was )?(?:missing|invalid|required|expired|not (?:valid|found|set|provided|configured))\b/i,
      /\bmissing environment variable: `?\w*(?:key|token)/i,
      /\bmust specify the \w*(?:key|token)\w* environment variable\b/i,
      /\binvalid (?:auth method|x-api-key|bearer token)\b/i,
      /\bno auth(?:entication)? (?:type|method|credentials)\b/i,
      /\bnot (?:logged|signed) in\b/i,
      /\bauthentication (?:required|failed|error)\b/i,
      /\bcould not resolve authentication\b/i,
      /\boauth token (?:has )?(?:expired|been revoked)\b/i,
      /\bplease (?:run \S+ )?log ?in\b|\bplease run \S*login\b/i,
      /^unauthorized\b|\bunauthorized\b[^\n]{0,12}\b401\b/im,
    ],
  ],
  [
    "config",
    [
      /\bno (?:conversation|session|rollout|thread|task) (?:was )?found\b/i,
      /\b(?:session|conversation|thread) (?:was )?not found\b|\bsession [\w-]{6,} (?:was )?not found\b/i,
      /\bno such session\b|\bunknown session\b|\binvalid session identifier\b|\brequires a valid session id\b/i,
      /\bworkspace trust required\b|\bnot (?:running )?in(?:side)? a trusted (?:directory|folder|workspace)\b/i,
      /\blicen[cs]e agreement is required\b/i,
    ],
  ],
];

/** Words that count less than an HTTP status. */
export const likelyWords: WordTable = [
  [
    "provider",
    [
      /^\W*overloaded\b|\b(?:is|are|currently|temporarily|529) overloaded\b|\boverloaded_error\b/im,
      /\bat capacity\b|\bexperiencing high demand\b|\bno capacity available\b/i,
      /\binternal server error\b|\bservice unavailable\b|\bbad gateway\b|\bgateway time-?out\b/i,
      /\bthe server had an error\b|\binternal error encountered\b/i,
      /(?<!resource )\btemporarily unavailable\b/i,
      /\bmodel returned (?:an )?empty response\b/i,
    ],
  ],
  [
    "network",
    [
      /\b(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/i,
      /\bsocket hang up\b|\bgetaddrinfo\b|\bdns (?:error|lookup|resolution|failure)\b/i,
      /\bconnection (?:was )?(?:refused|failed|closed|reset|lost|aborted)\b|\bconnection ?(?:error|refused)\b/i,
      /\b(?:unable to|cannot|can't|could not|couldn't|failed to) connect\b(?! to the docker)/i,
      /\bstream disconnected\b|\bstream decode error\b|\berror decoding response body\b/i,
      /\bnetwork error\b|\bfetch failed\b|\berror sending request\b|\btransport error\b|\bconnect error\b/i,
      /\brequest timed out\b/i,
      // Node's fetch says so if a body was cut off. A shell's "Terminated" is something else.
      /(?:^|[Ee]rror: )terminated\]?$/m,
    ],
  ],
  ["timed_out", [/\brun timed out after \d/i]],
  [
    "permission",
    [
      /\bpermission (?:was )?denied by\b|\brejected permission\b|\bauto-rejected permission\b/i,
      /\bpermission (?:request )?(?:was )?rejected\b|\bwas not approved\b/i,
      /\b(?:actions?|tools?|calls?|commands?) (?:was|were) denied\b/i,
      /\brequires approval in a tty\b|\btool approval requires\b/i,
    ],
  ],
  [
    "config",
    [
      /\bunknown (?:or disabled )?(?:option|argument|flag|command|subcommand|provider)\b/i,
      /\bunrecognized (?:option|argument|flag|subcommand)\b|\bunexpected argument\b|\bbad option\b/i,
      /\binvalid (?:option|configuration|config)\b|\binvalid value [^\n]{0,80} for ['"`]?-/i,
      /\berror loading config|\bconfig(?:uration)? error\b/i,
      /\bcannot be used with\b|\brequires a prompt\b|\bno prompt provided\b/i,
      /\binput must be provided\b|\bmust provide either\b|\brequired arguments were not provided\b/i,
      /\bmissing required (?:option|argument)\b|\brequired option\b/i,
      /\bno provider (?:is )?(?:configured|selected|specified)\b/i,
    ],
  ],
  [
    "cancelled",
    [
      /\binterrupted by (?:the )?user\b|\b(?:run|turn) (?:was )?interrupted\b/i,
      // Nobody cancelled a program that aborts for its own reason.
      /\b(?:operation|request|run|task|turn) (?:was )?(?:aborted|cancell?ed)\b(?! (?:to|because|after|due)\b)/i,
      /\b(?:aborted|cancell?ed) by (?:the )?user\b/i,
      // The whole message, as Antigravity (1.1.27) reports an interrupt.
      /^(?:error: )?(?:interrupted|cancell?ed)\.?$/i,
    ],
  ],
];
