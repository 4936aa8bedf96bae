import type { Duration } from "../../primitives/time.ts";
import { checksumOf, checksumParameter, type ReleaseServer } from "../releases.ts";
import type { DiskDraft } from "./disk-draft.ts";
import { binaryPath, DAEMON } from "./layout.ts";

const ARCHIVE = /\.(zip|tar|tgz|tar\.gz|tar\.xz|tar\.bz2)$/;

/** One run of downloads; every failure is thrown in the words of evidence facts §3.13. */
export class Downloads {
  readonly #server: ReleaseServer;
  /** Time that all of it took so far. */
  takes: Duration = 0n;

  constructor(server: ReleaseServer) {
    this.#server = server;
  }

  /** The text at an address, as the URL form of a plan's info is read. */
  text(url: string): string {
    let body: string;
    try {
      body = this.#get(url);
      verifyChecksum(url, body, "content");
    } catch (error) {
      throw new Error(`could not download url "${url}": ${(error as Error).message}`);
    }
    const content = body.trim();
    if (content === "") throw new Error(`no content returned by "${url}"`);
    return content;
  }

  /**
   * Puts the binary at an address into the folder of an upgrade. What fails its checksum stays where it
   * was put, and a file that cannot be run is not noticed here: both as upstream.
   */
  binary(url: string, dir: string, disk: DiskDraft): void {
    const file = binaryPath(dir);
    let content: string;
    try {
      content = this.#get(url);
    } catch (error) {
      throw new Error(`error downloading '${url}': ${(error as Error).message}`);
    }
    const path = url.split("?", 1)[0] ?? "";
    if (content === "" && ARCHIVE.test(path)) {
      throw new Error(`url "${url}" result does not contain a bin/${DAEMON} or ${DAEMON} file`);
    }
    disk.set(file, content);
    verifyChecksum(url, content, file);
  }

  #get(url: string): string {
    const found = this.#server.get(url);
    if (found === undefined) throw new Error("bad response code: 404");
    this.takes += found.takes;
    return found.body;
  }
}

/** Checks a body against its address' `checksum`, if it has one. Only sha256 is known in this world. */
function verifyChecksum(url: string, body: string, file: string): void {
  const parameter = checksumParameter(url);
  if (parameter === undefined) return;
  const [type, value] = parameter.includes(":")
    ? (parameter.split(":", 2) as [string, string])
    : ["sha256", parameter];
  if (type !== "sha256") throw new Error(`unsupported checksum type: ${type}`);
  const got = checksumOf(body);
  if (value.toLowerCase() === got) return;
  throw new Error(
    `Checksums did not match for ${file}.\nExpected: ${value.toLowerCase()}\nGot: ${got}\n*sha256.digest`,
  );
}
