import { readFileSync } from "node:fs";
import { HarnessError, problemOf } from "../../errors.js";
import type { Attributes } from "../../outputs/otlp/span.js";
import type { PostOptions } from "../post.js";
import { parseAddress } from "../web-address.js";

/** The variables that OpenTelemetry defines for every exporter. */
export type OtlpEnvironment = Readonly<Record<string, string | undefined>>;

/** Where spans go, and how. */
export interface OtlpEndpoint extends Pick<PostOptions, "ca" | "cert" | "key"> {
  url: URL;
  protocol: "http/protobuf" | "http/json";
  headers: Record<string, string>;
  isCompressed: boolean;
  timeoutMs: number;
  /** Who sends the spans. */
  resource: Attributes;
}

const defaultEndpoint = "http://localhost:4318";
const tracesPath = "v1/traces";

/** Throws a `HarnessError` if the address or one of the variables cannot be used. */
export function resolveEndpoint(given: string | undefined, environment: OtlpEnvironment): OtlpEndpoint {
  const read = (name: string): string | undefined =>
    nonEmpty(environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`]) ??
    nonEmpty(environment[`OTEL_EXPORTER_OTLP_${name}`]);
  const timeoutMs = Number(read("TIMEOUT"));
  return {
    url: urlOf(given, environment),
    protocol: protocolOf(read("PROTOCOL")),
    headers: {
      ...parsePairs(environment, "OTEL_EXPORTER_OTLP_HEADERS", isHeader),
      ...parsePairs(environment, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", isHeader),
    },
    isCompressed: read("COMPRESSION") === "gzip",
    timeoutMs: timeoutMs > 0 ? timeoutMs : 10_000,
    resource: resourceOf(environment),
    ...readFiles(read),
  };
}

/** A base address gets the usual path. One that has a path, and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, are taken as they are. */
function urlOf(given: string | undefined, environment: OtlpEnvironment): URL {
  const instead = "OTEL_EXPORTER_OTLP_HEADERS";
  if (given !== undefined) {
    const url = parseAddress(given, "the endpoint of --otlp", instead);
    return url.pathname === "/" ? new URL(tracesPath, url) : url;
  }
  const traces = nonEmpty(environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]);
  if (traces !== undefined) return parseAddress(traces, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", instead);
  const base = nonEmpty(environment["OTEL_EXPORTER_OTLP_ENDPOINT"]) ?? defaultEndpoint;
  const url = parseAddress(base, "OTEL_EXPORTER_OTLP_ENDPOINT", instead);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${tracesPath}`;
  return url;
}

function protocolOf(text = "http/protobuf"): OtlpEndpoint["protocol"] {
  if (text === "http/protobuf" || text === "http/json") return text;
  throw new HarnessError(
    "invalid_option",
    "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json; harness does not speak gRPC, so name the port for HTTP, which is mostly 4318",
  );
}

function resourceOf(environment: OtlpEnvironment): Attributes {
  const attributes = parsePairs(environment, "OTEL_RESOURCE_ATTRIBUTES", () => true);
  const name = nonEmpty(environment["OTEL_SERVICE_NAME"]) ?? attributes["service.name"] ?? "harness";
  return { ...attributes, "service.name": name };
}

/** `name=value,name2=value2`, with percent signs for special characters. The message does not quote what may be secret. */
function parsePairs(
  environment: OtlpEnvironment,
  variable: string,
  isPossible: (name: string, value: string) => boolean,
): Record<string, string> {
  const pairs = (environment[variable] ?? "").split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      const name = decode(pair.slice(0, equals));
      const value = decode(pair.slice(equals + 1));
      if (equals < 1 || name === undefined || value === undefined || !isPossible(name, value))
        throw new HarnessError(
          "invalid_option",
          `${variable} must be name=value pairs with commas between them, and special characters written as %2C`,
        );
      return [name, value];
    }),
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}

function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function readFiles(read: (name: string) => string | undefined): Pick<OtlpEndpoint, "ca" | "cert" | "key"> {
  const contentOf = (name: string): Buffer | undefined => {
    const path = read(name);
    try {
      return path === undefined ? undefined : readFileSync(path);
    } catch (error) {
      const message = `${path}, which OTEL_EXPORTER_OTLP_${name} names, cannot be read: ${problemOf(error)}`;
      throw new HarnessError("unreadable_file", message, { cause: error });
    }
  };
  const [ca, cert, key] = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"].map(contentOf);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
