import * as nodeModule from "node:module";

/** Modules of the user import this package by its name. */
const packageName = "harness-stream";

/**
 * This file is two folders below the package's own, as source, as library and in the bundled command. From there the package finds
 * itself by its name.
 */
const ownParent = new URL("../../package.json", import.meta.url).href;

interface ResolveContext {
  parentURL?: string | undefined;
}
type NextResolve<Resolved> = (specifier: string, context: ResolveContext) => Resolved;

/** Node's hooks in the same thread, from 22.15 on. */
interface SyncHooks {
  registerHooks?(hooks: {
    resolve<Resolved>(specifier: string, context: ResolveContext, next: NextResolve<Resolved>): Resolved;
  }): void;
}

let isOffered = false;

/**
 * Lets modules import this package although it is not installed beside them. One that is installed there wins, and nothing but this
 * name is affected. It is called before a module is loaded that the user trusts.
 */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  const { registerHooks } = nodeModule as SyncHooks;
  if (registerHooks === undefined) return registerInThread();
  registerHooks({
    resolve(specifier, context, next) {
      if (!isOwn(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return next(specifier, { ...context, parentURL: ownParent });
      }
    },
  });
}

function isOwn(specifier: string): boolean {
  return specifier === packageName || specifier.startsWith(`${packageName}/`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

/** Older versions of Node run hooks in a thread of their own, which gets them as a text. They do the same as above. */
function registerInThread(): void {
  const hooks = `
    const name = ${JSON.stringify(packageName)};
    const parentURL = ${JSON.stringify(ownParent)};
    export async function resolve(specifier, context, next) {
      if (specifier !== name && !specifier.startsWith(name + "/")) return next(specifier, context);
      try {
        return await next(specifier, context);
      } catch (error) {
        if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
        return next(specifier, { ...context, parentURL });
      }
    }`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
