import { describe, expect, test } from "vitest";
import type { LogLine } from "../../framework/trace.ts";
import { DiskDraft } from "./disk-draft.ts";
import { Downloads } from "./download.ts";
import { checksumOf, type Release, ReleaseServer, SLOW } from "./releases.ts";
import { installBinary, switchBinary } from "./switch-binary.ts";

const URL = "https://releases.example/v2";
const BIN = "cosmovisor/upgrades/v2/bin/chaind";
const inline = (url: string): string => JSON.stringify({ binaries: { "linux/amd64": url } });

interface Given {
  readonly info?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly releases?: Readonly<Record<string, Release["serves"]>>;
  readonly mayDownload?: boolean;
  readonly mustHaveChecksum?: boolean;
}

/** Switches to plan v2; returns the disk, the log, the time and the failure. */
function upgrade(input: Given) {
  const server = new ReleaseServer();
  for (const [url, serves] of Object.entries(input.releases ?? {})) {
    server.set(url, { binary: "v2", serves });
  }
  const disk = new DiskDraft(new Map(Object.entries(input.files ?? {})));
  const downloads = new Downloads(server);
  const log: LogLine[] = [];
  const rules = {
    allowed: input.mayDownload ?? true,
    mustHaveChecksum: input.mustHaveChecksum ?? false,
  };
  let failure = "";
  try {
    const plan = { name: "v2", height: 20, info: input.info ?? inline(URL) };
    switchBinary(plan, rules, disk, downloads, log);
  } catch (error) {
    failure = (error as Error).message;
  }
  return { disk, failure, takes: downloads.duration, log: log.map(({ text }) => text) };
}

describe("switching (rules/sidecar 3.6)", () => {
  test("a binary that is present is linked, and the plan is copied beside it", () => {
    const { disk, failure } = upgrade({ files: { [BIN]: "v2" }, mayDownload: false, info: "i" });
    expect(failure).toBe("");
    expect(disk.get("cosmovisor/current")).toBe("upgrades/v2");
    expect(disk.get("cosmovisor/upgrades/v2/upgrade-info.json")).toBe(
      '{"name":"v2","time":"0001-01-01T00:00:00Z","height":20,"info":"i"}',
    );
  });

  test("absent and downloads off", () => {
    expect(upgrade({ mayDownload: false }).failure).toBe(
      `binary not present, downloading disabled: stat ${BIN}: no such file or directory`,
    );
  });

  test("a folder in the binary's place is no binary", () => {
    const files = { [`${BIN}/chaind`]: "v2" };
    expect(upgrade({ files, mayDownload: false }).failure).toBe(
      "binary not present, downloading disabled: chaind is not a regular file",
    );
    expect(upgrade({ files }).failure).toBe("upgrade dir already exists, won't overwrite");
  });

  test("a folder without the binary is not overwritten", () => {
    const files = { "cosmovisor/upgrades/v2/README": "soon" };
    expect(upgrade({ files }).failure).toBe("upgrade dir already exists, won't overwrite");
  });

  test("the plan's info must parse", () => {
    expect(upgrade({ info: "" }).failure).toBe(
      "cannot parse upgrade info: plan info must not be blank",
    );
    expect(upgrade({ info: URL, mustHaveChecksum: true }).failure).toBe(
      "cannot parse upgrade info: missing checksum query parameter",
    );
    expect(upgrade({ info: '{"binaries":{"darwin/arm64":"x"}}' }).failure).toBe(
      "cannot find binary for os/arch: neither linux/amd64, nor any",
    );
  });
});

describe("downloading (rules/sidecar 3.6, 5.3)", () => {
  const checked = `${URL}?checksum=sha256:${checksumOf("v2")}`;

  test("with the right checksum: the binary is placed and linked", () => {
    const { disk, failure, log, takes } = upgrade({
      info: inline(checked),
      releases: { [URL]: "binary" },
    });
    expect([failure, takes, disk.get(BIN)]).toEqual(["", 0n, "v2"]);
    expect(log).toEqual([
      "no upgrade binary found, beginning to download it",
      "downloading binary complete",
    ]);
  });

  test("by way of an address that serves the info", () => {
    const releases = { [URL]: "binary", [`${URL}.json`]: "binary" } as const;
    const { disk, failure } = upgrade({ info: `${URL}.json`, releases });
    expect([failure, disk.get(BIN)]).toEqual(["", "v2"]);
  });

  test("slow: each file takes two minutes", () => {
    const releases = { [URL]: "slow", [`${URL}.json`]: "slow" } as const;
    expect(upgrade({ info: `${URL}.json`, releases })).toMatchObject({
      failure: "",
      takes: 2n * SLOW,
    });
  });

  test("missing", () => {
    expect(upgrade({}).failure).toBe(
      `cannot download binary. error downloading '${URL}': bad response code: 404`,
    );
    expect(upgrade({ info: URL }).failure).toBe(
      `cannot parse upgrade info: could not download url "${URL}": bad response code: 404`,
    );
  });

  test("a wrong checksum, and the file stays", () => {
    const { disk, failure } = upgrade({
      info: inline(checked),
      releases: { [URL]: "wrong_checksum" },
    });
    expect(failure).toContain(`cannot download binary. Checksums did not match for ${BIN}.`);
    expect(failure).toContain(`Expected: ${checksumOf("v2")}`);
    expect(failure).toContain(`Got: ${checksumOf("v2 (not what was released)")}`);
    expect(disk.get(BIN)).toBe("v2 (not what was released)");
    expect(disk.get("cosmovisor/current")).toBeUndefined();
  });

  test("without a checksum it goes unnoticed", () => {
    const { disk, failure } = upgrade({ releases: { [URL]: "wrong_checksum" } });
    expect([failure, disk.get("cosmovisor/current")]).toEqual(["", "upgrades/v2"]);
  });

  test("an empty info, an empty archive, an empty file", () => {
    expect(upgrade({ info: URL, releases: { [URL]: "empty" } }).failure).toBe(
      `cannot parse upgrade info: no content returned by "${URL}"`,
    );
    const zip = `${URL}.zip`;
    expect(upgrade({ info: inline(zip), releases: { [zip]: "empty" } }).failure).toBe(
      `cannot download binary. url "${zip}" result does not contain a bin/chaind or chaind file`,
    );
    expect(upgrade({ releases: { [URL]: "empty" } })).toMatchObject({ failure: "" });
    const sealed = `${zip}?checksum=sha256:${checksumOf("v2")}`;
    expect(upgrade({ info: inline(sealed), releases: { [zip]: "empty" } }).failure).toContain(
      "cannot download binary. Checksums did not match",
    );
  });
});

describe("a binary installed by hand", () => {
  const place = (files: Readonly<Record<string, string>>, handlers: readonly string[]) => {
    const disk = new DiskDraft(new Map(Object.entries(files)));
    const plan = { name: "v2", height: 20, info: "" };
    installBinary("new", handlers, plan, disk);
    return Object.fromEntries(disk.changes);
  };

  test("goes to the folder of the plan it is for, with that plan beside it", () => {
    expect(place({}, ["V2"])).toEqual({
      "cosmovisor/current": "upgrades/v2",
      [BIN]: "new",
      "cosmovisor/upgrades/v2/upgrade-info.json":
        '{"name":"v2","time":"0001-01-01T00:00:00Z","height":20}',
    });
  });

  test("else replaces the current one", () => {
    expect(place({}, [])).toEqual({
      "cosmovisor/current": "genesis",
      "cosmovisor/genesis/bin/chaind": "new",
    });
    expect(place({ "cosmovisor/current": "upgrades/v1" }, ["v3"])).toEqual({
      "cosmovisor/upgrades/v1/bin/chaind": "new",
    });
  });
});
