import { toHex, utf8 } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/sha256.ts";
import { type Duration, SECOND } from "../../../base/time.ts";
import { unreachable } from "../../../base/unreachable.ts";

/** Download at an address: a binary, and the behaviour of its server. */
export interface Release {
  readonly binary: string;
  readonly serves: "binary" | "missing" | "slow" | "wrong_checksum" | "empty";
}

/** Duration of one download from a slow server. */
export const SLOW: Duration = 120n * SECOND;

/** Suffix of addresses that serve a list of releases, in the JSON form of a plan's info. */
const LIST = ".json";

/**
 * SHA-256 of a binary in hex. A binary's content is its name, so the name determines the checksum.
 */
export const checksumOf = (content: string): string => toHex(sha256(utf8(content)));

/**
 * Simulated web server for releases. An address that ends in `.json` serves, instead of the binary
 * itself, a plan info with the download address of the same binary.
 */
export class ReleaseServer {
  #releases = new Map<string, Release>();

  /** State stored in keyframes. */
  get persisted() {
    return [this.#releases] as const;
  }
  set persisted(persisted) {
    [this.#releases] = persisted;
  }

  set(url: string, release: Release): void {
    this.#releases.set(withoutChecksum(url), release);
  }

  /** The body at an address and the time it takes; undefined if there is nothing (404). */
  get(url: string): { readonly body: string; readonly duration: Duration } | undefined {
    const address = withoutChecksum(url);
    const release = this.#releases.get(address);
    if (release === undefined) return undefined;
    const { serves } = release;
    if (serves === "missing") return undefined;
    const body = isList(address) ? this.#listOf(release.binary) : release.binary;
    switch (serves) {
      case "empty":
        return { body: "", duration: 0n };
      case "wrong_checksum":
        return { body: `${body} (not what was released)`, duration: 0n };
      case "slow":
        return { body, duration: SLOW };
      case "binary":
        return { body, duration: 0n };
      default:
        return unreachable(serves);
    }
  }

  #listOf(binary: string): string {
    const url = [...this.#releases].find(
      ([address, release]) => release.binary === binary && !isList(address),
    )?.[0];
    if (url === undefined) return '{"binaries":{}}';
    const join = url.includes("?") ? "&" : "?";
    const any = `${url}${join}checksum=sha256:${checksumOf(binary)}`;
    return JSON.stringify({ binaries: { any } });
  }
}

const isList = (address: string): boolean => address.split("?")[0]?.endsWith(LIST) === true;

/** The query parameter is for the downloading client, and is not sent. */
function withoutChecksum(url: string): string {
  const [path = "", query] = url.split("?", 2);
  const stored = (query ?? "").split("&").filter((part) => part !== "" && !isChecksum(part));
  return stored.length === 0 ? path : `${path}?${stored.join("&")}`;
}

const isChecksum = (part: string): boolean => part.startsWith("checksum=");

/** The value of the `checksum` query parameter; undefined if there is none. */
export function checksumParameter(url: string): string | undefined {
  const part = url.split("?", 2)[1]?.split("&").find(isChecksum);
  const value = part?.slice("checksum=".length);
  return value === "" ? undefined : value;
}
