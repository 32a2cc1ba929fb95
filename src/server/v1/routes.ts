import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isHarnessError, systemCode } from "../../errors.js";
import type { ApiOptions } from "../api.js";
import { maxBodyBytes, tooLarge } from "../requests.js";
import { otherRoutes } from "./other-routes.js";
import { type RefusalCode, statusOfCode } from "./refusals.js";
import { createReports } from "./reports.js";
import type { Route, Services } from "./route.js";
import { runRoutes } from "./run-routes.js";
import { sessionRoutes } from "./session-routes.js";
import { startRoutes } from "./start-routes.js";

/** Every operation of the API. */
export const routes: readonly Route[] = [...runRoutes, ...startRoutes, ...sessionRoutes, ...otherRoutes];

/** Everything under `/api/v1`. Access has been checked before. */
export function createV1(options: ApiOptions): Hono {
  const app = new Hono();
  const services: Services = {
    ...options,
    document: async () => (await import("./openapi.js")).createOpenApi(),
    reports: createReports(),
  };
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });
  for (const { method, path, handle } of routes)
    app.on(method.toUpperCase(), toPattern(path), limit, (context) =>
      // Hono would answer HEAD with GET, and nobody would read the streams that this begins.
      context.req.method === "HEAD" ? refuseMethod(context, path) : handle(context, services),
    );
  for (const path of new Set(routes.map((route) => route.path)))
    app.all(toPattern(path), (context) => refuseMethod(context, path));
  app.all("*", (context) =>
    refuse(context, "not_found", "there is no such operation; GET /api/v1/openapi.json lists them"),
  );
  app.onError((error, context) => {
    if (isHarnessError(error)) return refuse(context, error.code ?? "failed", error.message);
    if (systemCode(error) === "ENOENT")
      return refuse(context, "gone", "a file of the recording no longer exists");
    return refuse(context, "failed", error.message);
  });
  return app;
}

/** `/runs/{id}` as Hono spells it: `/runs/:id`. */
function toPattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function refuseMethod(context: Context, path: string): Response {
  const allowed = routes.flatMap((route) => (route.path === path ? [route.method.toUpperCase()] : []));
  context.header("allow", allowed.join(", "));
  return refuse(context, "wrong_method", `this address takes ${allowed.join(" and ")} only`);
}

function refuse(context: Context, code: RefusalCode | string, message: string): Response {
  return context.json({ code, message }, statusOfCode(code));
}
