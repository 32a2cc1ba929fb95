import { anthropic } from "./anthropic.js";
import { chat } from "./chat.js";
import type { Dialect } from "./dialect.js";
import { gemini } from "./gemini.js";
import { responses } from "./responses.js";

export const dialects: readonly Dialect[] = [anthropic, responses, chat, gemini];
