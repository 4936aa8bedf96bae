import type { Duration } from "../../../base/time.ts";
import { modelledText, plainError } from "../../framework/errors.ts";
import type { DiskDraft } from "./disk-draft.ts";
import { DAEMON } from "./layout.ts";
import { checksumOf, checksumParameter, type ReleaseServer } from "./releases.ts";

const ARCHIVE = /\.(zip|tar|tgz|tar\.gz|tar\.xz|tar\.bz2)$/;

/** One run of downloads; every failure is thrown with the text of rules/sidecar 5.3. */
export class Downloads {
  readonly #server: Pick<ReleaseServer, "get">;
  readonly #enter: (stage: "download" | "checksum") => void;
  /** Total time taken so far. */
  duration: Duration = 0n;

  /** @param enter called before each file is requested, and before its checksum is verified */
  constructor(
    server: Pick<ReleaseServer, "get">,
    enter: (stage: "download" | "checksum") => void = () => {},
  ) {
    this.#server = server;
    this.#enter = enter;
  }

  /** Downloads the text at an address, for the URL form of a plan's info. */
  text(url: string): string {
    let body: string;
    try {
      body = this.#get(url);
      this.#verify(url, body, "content");
    } catch (error) {
      throw plainError(`could not download url "${url}": ${modelledText(error)}`);
    }
    const content = body.trim();
    if (content === "") throw plainError(`no content returned by "${url}"`);
    return content;
  }

  /**
   * Downloads the binary at an address into a folder's `bin/`. A file that fails its checksum is
   * not removed, and one that cannot be run is not detected here: both as upstream. An archive
   * contains `bin/chaind`, or nothing if the response is empty.
   */
  binary(url: string, root: string, daemon: string, disk: DiskDraft): void {
    const file = `${root}/bin/${daemon}`;
    let content: string;
    try {
      content = this.#get(url);
    } catch (error) {
      throw plainError(`error downloading '${url}': ${modelledText(error)}`);
    }
    const archive = ARCHIVE.test(url.split("?", 1)[0] ?? "");
    if (!archive) disk.set(file, content);
    this.#verify(url, content, file);
    if (archive && (content === "" || daemon !== DAEMON)) {
      throw plainError(`url "${url}" result does not contain a bin/${daemon} or ${daemon} file`);
    }
    disk.set(file, content);
  }

  #get(url: string): string {
    this.#enter("download");
    const found = this.#server.get(url);
    if (found === undefined) throw plainError("bad response code: 404");
    this.duration += found.duration;
    return found.body;
  }

  #verify(url: string, body: string, file: string): void {
    const parameter = checksumParameter(url);
    if (parameter === undefined) return;
    this.#enter("checksum");
    verifyChecksum(parameter, body, file);
  }
}

/** Checks a body against an address' `checksum`. Only sha256 is supported. */
function verifyChecksum(parameter: string, body: string, file: string): void {
  const [type, value] = parameter.includes(":")
    ? (parameter.split(":", 2) as [string, string])
    : ["sha256", parameter];
  if (type !== "sha256") throw plainError(`unsupported checksum type: ${type}`);
  const got = checksumOf(body);
  if (value.toLowerCase() === got) return;
  throw plainError(
    `Checksums did not match for ${file}.\nExpected: ${value.toLowerCase()}\nGot: ${got}\n*sha256.digest`,
  );
}
