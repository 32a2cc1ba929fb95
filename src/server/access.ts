import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isSameText, isSigned, signCookie } from "./cookie-key.js";
import { nameOfHost } from "./host-names.js";
import type { Refusal } from "./protocol.js";

export interface AccessOptions {
  /** Part of the printed address; the page exchanges it for a cookie at once. */
  token: string;
  /** True for a token that is valid for one page; it is used up by this call. */
  useOnce(token: string): boolean;
  cookieKey: string;
  port(): number;
  hosts: ReadonlySet<string>;
}

/**
 * Answers only requests that carry the token or the cookie, come from this server's own page and use its own name. Browsers
 * share cookies between ports, hence the port in the cookie's name. `SameSite` and the origin check keep other sites out.
 */
export function requireAccess(options: AccessOptions): MiddlewareHandler {
  const cookieName = (): string => `harness-view-${options.port()}`;

  function isLetIn(context: Context): boolean {
    if (isSigned(getCookie(context, cookieName()), options.cookieKey, options.port())) return true;
    const bearer = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1];
    return bearer !== undefined && isSameText(bearer, options.token);
  }

  return async (context, next) => {
    const host = context.req.header("host");
    const name = nameOfHost(host);
    if (name === undefined || !options.hosts.has(name)) return refuse(context, wrongHost);
    if (!isFromOwnPage(context, host)) return refuse(context, wrongOrigin);
    const token = context.req.query("token");
    if (token !== undefined && context.req.path === "/") {
      if (!isSameText(token, options.token) && !options.useOnce(token)) return refuse(context, noAccess);
      setCookie(context, cookieName(), signCookie(options.cookieKey, options.port()), {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        maxAge: 30 * 24 * 3600,
      });
      // No redirect: when the link was on another site (a terminal in a browser), the redirected request would lack the cookie.
      return next();
    }
    if (!isLetIn(context)) return refuse(context, noAccess);
    return next();
  };
}

/**
 * Browsers say where a request comes from. Requests from other sites, and from other ports of this machine, are refused.
 * The address itself may be opened from anywhere: it shows nothing without the token or the cookie.
 */
function isFromOwnPage(context: Context, host: string | undefined): boolean {
  const origin = context.req.header("origin");
  if (origin !== undefined && origin !== `http://${host}`) return false;
  const site = context.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return context.req.method === "GET" && context.req.path === "/" && origin === undefined;
}

const wrongHost: Refusal & { status: 403 } = {
  status: 403,
  code: "wrong_host",
  message:
    "this server does not accept that host name; use the address that `harness view` printed, or start it with --host",
};
const wrongOrigin: Refusal & { status: 403 } = {
  status: 403,
  code: "wrong_origin",
  message: "requests from other sites are not answered",
};
const noAccess: Refusal & { status: 401 } = {
  status: 401,
  code: "no_access",
  message: "open the address that `harness view` printed: it carries the token that this page needs",
};
/** Programs have no address to open. */
const noBearer =
  "send the token of this server as `Authorization: Bearer TOKEN`; `harness view --json` prints it";

function refuse(context: Context, { status, ...refusal }: Refusal & { status: 401 | 403 }): Response {
  if (context.req.path === "/" && context.req.method === "GET")
    return context.text(`harness: ${refusal.message}\n`, status);
  if (status === 401 && context.req.path.startsWith("/api/v1")) {
    context.header("www-authenticate", "Bearer");
    return context.json({ ...refusal, message: noBearer }, status);
  }
  return context.json(refusal, status);
}
