import { describe, expect, test } from "vitest";
import { plainError } from "../../framework/errors.ts";
import { type BinaryUrls, parsePlanInfo, pickUrl } from "./plan-info.ts";
import { validateBinaries } from "./validate-info.ts";

const URL = "https://releases.example/v2";
const noDownload = (url: string): string => {
  throw plainError(`asked for ${url}`);
};
const parse = (info: string): BinaryUrls => parsePlanInfo(info, false, noDownload);

describe("ParseInfo (rules/sidecar 5.1)", () => {
  test("format A: a JSON object whose binaries map os/arch or any to addresses; other keys are ignored", () => {
    const info = `  {"binaries":{"linux/amd64":"${URL}","any":"x"},"notes":"read me"}  `;
    expect([...parse(info)]).toEqual([
      ["linux/amd64", URL],
      ["any", "x"],
    ]);
  });

  test("format B: an address whose body is format A", () => {
    const requested: string[] = [];
    const urls = parsePlanInfo(` ${URL}.json `, false, (url) => {
      requested.push(url);
      return `{"binaries":{"any":"${URL}"}}`;
    });
    expect([[...urls], requested]).toEqual([[["any", URL]], [`${URL}.json`]]);
  });

  test("with enforcement, an address needs a checksum, and the addresses of binaries do not", () => {
    const served = `{"binaries":{"any":"${URL}"}}`;
    expect(() => parsePlanInfo(URL, true, () => served)).toThrow(
      /^missing checksum query parameter$/,
    );
    expect(parsePlanInfo(`${URL}?checksum=sha256:ab`, true, () => served).size).toBe(1);
    expect(parsePlanInfo(served, true, noDownload).size).toBe(1);
  });

  test.each([
    ["", "plan info must not be blank"],
    [" \n\t", "plan info must not be blank"],
    [
      "release v2",
      "could not parse plan info: invalid character 'r' looking for beginning of value",
    ],
    ["{", "could not parse plan info: unexpected end of JSON input"],
    [
      "[]",
      "could not parse plan info: json: cannot unmarshal array into Go value of type plan.Info",
    ],
    [
      '{"binaries":"x"}',
      "could not parse plan info: json: cannot unmarshal string into Go struct field Info.binaries of type plan.BinaryDownloadURLMap",
    ],
    [
      '{"binaries":{"any":1}}',
      "could not parse plan info: json: cannot unmarshal number into Go struct field Info.binaries of type string",
    ],
  ])("refuses %j", (info, reason) => {
    expect(() => parse(info)).toThrow(plainError(reason));
  });

  test.each(["note: read the forum", "/etc/plan.json", "ipfs:abc", "https://a b/"])(
    "takes whatever parses as an absolute request URI for an address: %s",
    (info) => {
      const isUri = info !== "https://a b/";
      expect(() => parse(info)).toThrow(isUri ? `asked for ${info}` : "could not parse plan info");
    },
  );

  test("the address is that of linux/amd64, else any", () => {
    const any = ["any", "b"] as const;
    expect(pickUrl(new Map([any, ["linux/amd64", "a"]]))).toBe("a");
    expect(pickUrl(new Map([any, ["darwin/arm64", "c"]]))).toBe("b");
    expect(() => pickUrl(new Map([["darwin/arm64", "c"]]))).toThrow(
      plainError("cannot find binary for os/arch: neither linux/amd64, nor any"),
    );
  });
});

describe("ValidateBasic (rules/sidecar 5.2)", () => {
  test.each([
    [[], false, 'no "binaries" entries found'],
    [[["linux", URL]], false, 'invalid os/arch format in key "linux"'],
    [
      [["any", "http://a b/"]],
      false,
      'invalid url "http://a b/" in binaries[any]: parse "http://a b/": invalid character " " in host name',
    ],
    [
      [["any", URL]],
      true,
      `invalid url "${URL}" in binaries[any]: missing checksum query parameter`,
    ],
  ] as const)("refuses %j (checksum enforced: %s)", (entries, enforce, reason) => {
    const urls: BinaryUrls = new Map(entries as readonly (readonly [string, string])[]);
    expect(() => validateBinaries(urls, enforce)).toThrow(plainError(reason));
  });

  test("the key's expression is not anchored", () => {
    const urls = new Map([
      ["linux/amd64/x", URL],
      ["!!a/b!!", URL],
    ]);
    expect(() => validateBinaries(urls, false)).not.toThrow();
  });
});
