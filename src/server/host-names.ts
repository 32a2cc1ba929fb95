import { hostname, networkInterfaces } from "node:os";

const loopback = ["localhost", "127.0.0.1", "::1"];

export function isLoopback(host: string): boolean {
  return loopback.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * The host names that this server accepts. In a DNS rebinding attack, a foreign name points to this machine; requests with
 * that name are refused. The port does not matter: it may be a tunnel's.
 */
export function allowedHosts(host: string): ReadonlySet<string> {
  const own = host === "0.0.0.0" || host === "::" ? [hostname(), ...ownAddresses()] : [host];
  return new Set([...loopback, ...own].map((name) => name.toLowerCase()));
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}

/** The name in a `Host` header or an origin: `[::1]:4280` is `::1`. Undefined when the header is not valid. */
export function nameOfHost(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
