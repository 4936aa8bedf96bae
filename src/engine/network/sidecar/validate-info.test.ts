import { describe, expect, test } from "vitest";
import { checksumOf, type Release, ReleaseServer, SLOW } from "./releases.ts";
import { type InfoFlags, validatePlanInfo } from "./validate-info.ts";

const URL = "https://releases.example/v2";
const SEAL = `checksum=sha256:${checksumOf("v2")}`;
const SEALED = `${URL}?${SEAL}`;

type Served = Readonly<Record<string, Release["serves"]>>;

function verdict(info: string, served: Served = { [URL]: "binary" }, flags?: InfoFlags) {
  const server = new ReleaseServer();
  for (const [url, serves] of Object.entries(served)) server.set(url, { binary: "v2", serves });
  return validatePlanInfo(info, server, flags);
}

const listing = (binaries: Readonly<Record<string, string>>): string =>
  JSON.stringify({ binaries });

const ANY_CHECKSUM: InfoFlags = { checksumRequired: false };

describe("before a software-upgrade proposal is sent (rules/sidecar 5.4)", () => {
  test("an info is good if every binary it lists can be had and has its checksum", () => {
    const info = listing({ "linux/amd64": SEALED, any: SEALED });
    expect(verdict(info)).toEqual({ refusal: undefined, duration: 0n });
  });

  test("no platform has to be listed; a missing one fails in the sidecar", () => {
    expect(verdict(listing({ "darwin/arm64": SEALED })).refusal).toBeUndefined();
  });

  test("every listed binary is downloaded, whatever its platform, one after another", () => {
    const info = listing({ "linux/amd64": SEALED, "darwin/arm64": SEALED });
    expect(verdict(info, { [URL]: "slow" })).toEqual({ refusal: undefined, duration: 2n * SLOW });
  });

  test("the address of a list is downloaded too, and needs a checksum itself", () => {
    const served = { [URL]: "binary", [`${URL}.json`]: "binary" } as const;
    const list = checksumOf(listing({ any: SEALED }));
    expect(verdict(`${URL}.json?checksum=sha256:${list}`, served).refusal).toBeUndefined();
    expect(verdict(`${URL}.json`, served).refusal).toBe("missing checksum query parameter");
    expect(verdict(`${URL}.json`, served, ANY_CHECKSUM).refusal).toBeUndefined();
  });

  test("--no-checksum-required", () => {
    expect(verdict(listing({ any: URL })).refusal).toBe(
      `invalid url "${URL}" in binaries[any]: missing checksum query parameter`,
    );
    expect(verdict(listing({ any: URL }), undefined, ANY_CHECKSUM).refusal).toBeUndefined();
  });

  test("--daemon-name: an archive must hold a binary of that name, a file is given it", () => {
    const zip = `${URL}.zip`;
    const info = listing({ any: `${zip}?${SEAL}` });
    expect(verdict(info, { [zip]: "binary" }).refusal).toBeUndefined();
    expect(verdict(info, { [zip]: "binary" }, { daemonName: "gaiad" }).refusal).toBe(
      `error downloading binary for os/arch any: url "${zip}?${SEAL}" result does not contain a bin/gaiad or gaiad file`,
    );
    const file = verdict(listing({ any: SEALED }), undefined, { daemonName: "gaiad" });
    expect(file.refusal).toBeUndefined();
  });
});

describe("every refusal (rules/sidecar 5.1, 5.2, 5.3)", () => {
  test.each<[string, Served, string]>([
    ["", {}, "plan info must not be blank"],
    [
      "v2.0.0",
      {},
      "could not parse plan info: invalid character 'v' looking for beginning of value",
    ],
    [SEALED, {}, `could not download url "${SEALED}": bad response code: 404`],
    [
      `${URL}?checksum=sha256:${checksumOf("")}`,
      { [URL]: "empty" },
      `no content returned by "${URL}?checksum=sha256:${checksumOf("")}"`,
    ],
    ["{}", {}, 'no "binaries" entries found'],
    [listing({ linux: SEALED }), {}, 'invalid os/arch format in key "linux"'],
    [
      listing({ any: "http://a b/" }),
      {},
      'invalid url "http://a b/" in binaries[any]: parse "http://a b/": invalid character " " in host name',
    ],
    [
      listing({ "linux/amd64": SEALED }),
      { [URL]: "missing" },
      `error downloading binary for os/arch linux/amd64: error downloading '${SEALED}': bad response code: 404`,
    ],
    [
      listing({ "linux/amd64": SEALED }),
      { [URL]: "wrong_checksum" },
      `error downloading binary for os/arch linux/amd64: Checksums did not match for /tmp/os-arch-downloads/linux-amd64/bin/chaind.\nExpected: ${checksumOf("v2")}\nGot: ${checksumOf("v2 (not what was released)")}\n*sha256.digest`,
    ],
  ])("%j, served %j", (info, served, reason) => {
    expect(verdict(info, served).refusal).toBe(reason);
  });

  test("an empty download without a checksum is valid: it is not run here", () => {
    const info = listing({ any: URL });
    expect(verdict(info, { [URL]: "empty" }, ANY_CHECKSUM).refusal).toBeUndefined();
  });
});
