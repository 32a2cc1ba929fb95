import { createHash, createHmac } from "node:crypto";

/** A request to S3, before it is signed. */
export interface UnsignedRequest {
  method: string;
  /** Its query must be sorted. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hexadecimal digits. */
  bodyHash: string;
}

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Only of temporary credentials. */
  sessionToken?: string | undefined;
}

/** SHA-256 of nothing. */
export const emptyHash = createHash("sha256").digest("hex");

/** The headers of a request with AWS Signature Version 4. */
export function signRequest(
  request: UnsignedRequest,
  credentials: S3Credentials,
  { region, now }: { region: string; now: Date },
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const token = credentials.sessionToken;
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    "x-amz-content-sha256": request.bodyHash,
    "x-amz-date": time,
    ...(token !== undefined && { "x-amz-security-token": token }),
  };
  const names = Object.keys(headers).sort();
  const signedHeaders = names.join(";");
  const canonical = [
    request.method,
    canonicalPath(request.url.pathname),
    request.url.search.slice(1),
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    signedHeaders,
    request.bodyHash,
  ].join("\n");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const signingKey = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(signingKey, toSign).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return { ...headers, authorization };
}

/** S3 wants everything escaped but letters, digits and `-_.~/`. */
function canonicalPath(pathname: string): string {
  return pathname
    .split("/")
    .map((part) =>
      encodeURIComponent(decodeURIComponent(part)).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
