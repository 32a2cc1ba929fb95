import type { MiddlewareHandler } from "hono";

/**
 * The page may only load its own files and talk to its own server. Inline scripts and styles, frames and forms are forbidden.
 * HTML is set only through the one policy that renders sanitised Markdown.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types harness-markup",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // The address contains the token until the page has its cookie.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/** Sets the headers of every response. */
export function securityHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store");
  };
}
