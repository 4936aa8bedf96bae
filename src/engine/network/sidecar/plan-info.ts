import { plainError } from "../../framework/errors.ts";
import { goJsonError, goKind } from "./go-json.ts";
import { checksumParameter } from "./releases.ts";

/** Download URLs of binaries, by `os/arch` or `any` (rules/sidecar 5.1). */
export type BinaryUrls = ReadonlyMap<string, string>;

/** The platform of every node. */
const OS_ARCH = "linux/amd64";

/**
 * Reads a plan's info: JSON, or an address that serves it, fetched with `download`.
 * `mustHaveChecksum` applies to that address only, not to the addresses of binaries. Throws with
 * the refusals of rules/sidecar 5.1.
 */
export function parsePlanInfo(
  info: string,
  mustHaveChecksum: boolean,
  download: (url: string) => string,
): BinaryUrls {
  const text = info.trim();
  if (text === "") throw plainError("plan info must not be blank");
  if (!isRequestUri(text)) return binariesOf(text);
  validateUrl(text, mustHaveChecksum);
  return binariesOf(download(text));
}

/** Returns the address for this platform. Throws if there is none. */
export function pickUrl(urls: BinaryUrls): string {
  const url = urls.get(OS_ARCH) ?? urls.get("any");
  if (url !== undefined) return url;
  throw plainError(`cannot find binary for os/arch: neither ${OS_ARCH}, nor any`);
}

/** Throws if an address cannot be parsed, or has no checksum where one is required. */
export function validateUrl(url: string, mustHaveChecksum: boolean): void {
  const fault = urlFault(url);
  if (fault !== undefined) throw plainError(`parse "${url}": ${fault}`);
  if (mustHaveChecksum && checksumParameter(url) === undefined) {
    throw plainError("missing checksum query parameter");
  }
}

function binariesOf(text: string): BinaryUrls {
  const refuse = (why: string): never => {
    throw plainError(`could not parse plan info: ${why}`);
  };
  const fault = goJsonError(text);
  if (fault !== undefined) refuse(fault);
  const info: unknown = JSON.parse(text);
  if (info === null) return new Map();
  if (typeof info !== "object" || Array.isArray(info)) {
    refuse(`json: cannot unmarshal ${goKind(info)} into Go value of type plan.Info`);
  }
  const field = Object.entries(info as object).findLast(([k]) => k.toLowerCase() === "binaries");
  const binaries: unknown = field?.[1] ?? {};
  if (typeof binaries !== "object" || Array.isArray(binaries)) {
    const kind = goKind(binaries);
    refuse(
      `json: cannot unmarshal ${kind} into Go struct field Info.binaries of type plan.BinaryDownloadURLMap`,
    );
  }
  return new Map(
    Object.entries(binaries as object).map(([key, url]) => {
      if (url === null) return [key, ""];
      if (typeof url === "string") return [key, url];
      return refuse(
        `json: cannot unmarshal ${goKind(url)} into Go struct field Info.binaries of type string`,
      );
    }),
  );
}

/** Go's url.ParseRequestURI: a scheme with anything after it, or an absolute path. */
function isRequestUri(text: string): boolean {
  const hasScheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text);
  return (hasScheme || text.startsWith("/")) && urlFault(text) === undefined;
}

/**
 * Returns the error of Go's url.Parse, for mistakes that occur in practice; undefined if there is
 * none.
 */
function urlFault(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
  if (/[\x00-\x1f\x7f]/.test(url)) return "net/url: invalid control character in URL";
  const scheme = /^[^:/?#]*:/.exec(url)?.[0];
  if (scheme === ":") return "missing protocol scheme";
  if (scheme !== undefined && !/^[a-zA-Z][a-zA-Z0-9+.-]*:$/.test(scheme)) {
    return "first path segment in URL cannot contain colon";
  }
  const rest = url.slice(scheme?.length ?? 0).split("?", 1)[0] ?? "";
  if (scheme !== undefined && !rest.startsWith("/")) return undefined;
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(rest)?.[0];
  if (broken !== undefined) return `invalid URL escape "${broken}"`;
  const host = scheme === undefined ? undefined : /^\/\/([^/]*)/.exec(rest)?.[1];
  const bad = /[ "<>\\^`{|}]/.exec(host ?? "")?.[0];
  if (bad !== undefined) return `invalid character ${JSON.stringify(bad)} in host name`;
  const port = /:([^:\]]*)$/.exec(host ?? "")?.[1];
  return port !== undefined && !/^\d*$/.test(port)
    ? `invalid port ":${port}" after host`
    : undefined;
}
