import { wildcards } from "../../shell/word-shape.js";
import { foldText } from "./fold-text.js";
import { overlaps, toGlob } from "./glob.js";
import type { Match } from "./path-pattern.js";

/** A rule's pattern for what is compared by its name: addresses, tools of MCP servers, skills, tools. */
export interface NamePattern<Subject> {
  allows(subject: Subject): boolean;
  names(subject: Subject): Match;
}

const address = /^(?:([a-z][a-z0-9+.*-]*):\/\/)?(\[[^\]]*\]|[^/?#:]+)(?::(\d+))?([/?#].*)?$/i;

/** `example.com`, `*.example.com`, `localhost:3000`, `https://example.com/docs/*`. */
export function compileFetch(pattern: string): NamePattern<string | undefined> {
  const [, scheme = "", host = "", port = "", path = ""] = address.exec(pattern) ?? [];
  const apex = foldText(host).replace(/^\*\./, "");
  return {
    allows(url) {
      const given = toUrl(url);
      if (given === undefined || given.username !== "" || given.password !== "") return false;
      if (scheme === "" ? !/^https?:$/.test(given.protocol) : given.protocol !== `${scheme.toLowerCase()}:`)
        return false;
      if (given.port !== port || !overlaps(toGlob(host.toLowerCase(), wildcards.any), hostOf(given)))
        return false;
      return path === "" || overlaps(globOf(path), `${given.pathname}${given.search}`);
    },
    names(url) {
      const given = toUrl(url);
      if (url === undefined) return "maybe";
      if (given === undefined) return foldText(url).includes(apex) ? "yes" : "maybe";
      const isHost = [apex, `${wildcards.any}.${apex}`].some((glob) =>
        overlaps(toGlob(glob, wildcards.any), foldText(hostOf(given))),
      );
      const isPort = port === "" || given.port === port;
      const isPath =
        path === "" || overlaps(foldText(globOf(path)) + wildcards.any, foldText(decoded(given)));
      return isHost && isPort && isPath ? "yes" : "no";
    },
  };
}

function globOf(path: string): string {
  return path.replace(/\*+/g, wildcards.any);
}

/** What people leave out is added, as programs that fetch do. */
function toUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  for (const each of /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? [text] : [`https://${text}`]) {
    try {
      return new URL(each);
    } catch {
      return undefined;
    }
  }
  return undefined;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

function decoded({ pathname, search }: URL): string {
  try {
    return decodeURIComponent(pathname) + search;
  } catch {
    return pathname + search;
  }
}

/** `server/tool`, `server/*`, `server: *`, or `server` for all of its tools. */
export function compileMcp(pattern: string): NamePattern<{ server?: string; tool: string }> {
  const [, server = "", tool = "*"] = /^([^/:]*)(?:\s*[/:]\s*(.*))?$/.exec(pattern) ?? [];
  const matches = (glob: string, text: string): boolean => overlaps(toGlob(glob, wildcards.any), text);
  const isNamed = (of: string, name: string): boolean =>
    matches(foldText(server), foldText(of)) && matches(foldText(tool), foldText(name));
  return {
    allows: (given) =>
      given.server !== undefined && matches(server, given.server) && matches(tool, given.tool),
    names(given) {
      // Agents also write `mcp__server__tool`.
      const [, inName, rest] = /^(?:mcp__)?(.+?)__(.+)$/.exec(given.tool) ?? [];
      if (inName !== undefined && rest !== undefined && isNamed(inName, rest)) return "yes";
      if (given.server !== undefined) return isNamed(given.server, given.tool) ? "yes" : "no";
      return matches(foldText(tool), foldText(given.tool)) ? "maybe" : "no";
    },
  };
}

/** The name of a skill, or of the directory that it is in. */
export function compileSkill(pattern: string): NamePattern<{ skillName?: string; path: string }> {
  const glob = toGlob(pattern, wildcards.any);
  return {
    allows: ({ skillName }) => skillName !== undefined && overlaps(glob, skillName),
    names({ skillName = "", path }) {
      const names = [skillName, path, ...path.split(/[/\\]/)].map(foldText);
      return names.some((name) => overlaps(foldText(glob), name)) ? "yes" : "no";
    },
  };
}

/** The name of a tool, as the agent calls it. */
export function compileTool(pattern: string): NamePattern<string> {
  const glob = toGlob(pattern, wildcards.any);
  return {
    allows: (name) => overlaps(glob, name),
    names: (name) => (overlaps(foldText(glob), foldText(name)) ? "yes" : "no"),
  };
}
