import { Hono } from "hono";
import { type AccessOptions, requireAccess } from "./access.js";
import { type ApiOptions, createApi } from "./api.js";
import type { PageFile } from "./page-files.js";
import { securityHeaders } from "./security-headers.js";
import { createV1 } from "./v1/routes.js";

export interface AppOptions extends ApiOptions {
  access: AccessOptions;
  files: ReadonlyMap<string, PageFile>;
}

/** The page and its API, behind the access check. */
export function createApp({ access, files, ...api }: AppOptions): Hono {
  const app = new Hono();
  app.use(securityHeaders());
  app.use(requireAccess(access));
  app.route("/api/v1", createV1(api));
  app.route("/api", createApi(api));
  app.get("*", (context) => {
    const file = files.get(context.req.path);
    if (file === undefined) return context.notFound();
    return context.body(file.body, 200, {
      "content-type": file.type,
      "cache-control": file.isHashed ? "private, max-age=31536000, immutable" : "no-cache",
    });
  });
  app.notFound((context) => context.json({ code: "not_found", message: "there is nothing here" }, 404));
  app.onError((error, context) => context.json({ code: "failed", message: error.message }, 500));
  return app;
}
