import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex, toHexUpper } from "../../../base/bytes.ts";
import { parseRfc3339 } from "../../../base/time.ts";
import { EquivocationSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { thrownBy } from "../../framework/testing.ts";
import { EvidenceCodec } from "./codec.ts";
import { Equivocation } from "./equivocation.ts";

const TIME = parseRfc3339("2006-01-02T15:04:05Z");
const ADDRESS = "cosmosvalcons1vehk7h6lta047h6lta047h6lta047h6l8m4r53";

describe("Equivocation", () => {
  test("its bytes and hash are those of the published example", () => {
    const e = Equivocation.of(100, TIME, 1_000_000, ADDRESS);
    expect(toHex(toBinary(EquivocationSchema, e.message))).toBe(
      "0864120608e581e59d0418c0843d2234636f736d6f7376616c636f6e73317665686b3768366c746130343768366c746130343768366c746130343768366c386d34723533",
    );
    expect(toHexUpper(e.hash())).toBe(
      "1E10F9267BEA3A9A4AB5302C2C510CC1AFD7C54E232DA5B2E3360DFAFACF7A76",
    );
  });

  test("String() is compact proto text", () => {
    expect(Equivocation.of(100, TIME, 1_000_000, ADDRESS).string()).toBe(
      `height:100 time:<seconds:1136214245 > power:1000000 consensus_address:"${ADDRESS}" `,
    );
  });

  test("total power is always 0, and an address that is none is empty", () => {
    const e = Equivocation.of(100, TIME, 7, ADDRESS);
    expect(e.getTotalPower()).toBe(0n);
    expect(e.getValidatorPower()).toBe(7n);
    expect(e.getConsensusAddress()).toHaveLength(0);
  });

  test("a time that was left out is year one, and is on the wire", () => {
    const e = new Equivocation(create(EquivocationSchema, { height: 1n }));
    expect(toHex(toBinary(EquivocationSchema, e.message))).toBe("0801120b088092b8c398feffffff01");
  });

  test.each([
    [
      "time",
      Equivocation.of(0, 0n, 0, ""),
      "invalid equivocation time: 1970-01-01 00:00:00 +0000 UTC",
    ],
    [
      "time below one second",
      Equivocation.of(0, 999_999_999n, 0, ""),
      "invalid equivocation time: 1970-01-01 00:00:00.999999999 +0000 UTC",
    ],
    ["height", Equivocation.of(0, TIME, 0, ""), "invalid equivocation height: 0"],
    ["power", Equivocation.of(1, TIME, 0, ""), "invalid equivocation validator power: 0"],
    [
      "address",
      Equivocation.of(1, TIME, 1, ""),
      "invalid equivocation validator consensus address: ",
    ],
  ])("ValidateBasic refuses a bad %s, in this order", (_what, evidence, text) => {
    expect(thrownBy(() => evidence.validateBasic()).message).toBe(text);
  });

  test("ValidateBasic lets any text pass as address", () => {
    expect(() => Equivocation.of(1, TIME, 1, "E0FF").validateBasic()).not.toThrow();
  });

  test("an unset time reads as Go's zero time", () => {
    const e = new Equivocation(create(EquivocationSchema));
    expect(thrownBy(() => e.validateBasic()).message).toBe(
      "invalid equivocation time: 0001-01-01 00:00:00 +0000 UTC",
    );
  });

  test("a time outside the years 1 to 9999 is no evidence at all", () => {
    const message = create(EquivocationSchema, {
      time: create(TimestampSchema, { seconds: 253_402_300_800n }),
    });
    expect(() => new Equivocation(message)).toThrow("out of range");
  });

  test("packing and unpacking keep identity", () => {
    const codec = new EvidenceCodec();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 40 }),
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.integer({ min: 0, max: 2 ** 50 }),
        fc.string(),
        (height, time, power, address) => {
          const e = Equivocation.of(height, time, power, address.toWellFormed());
          const back = codec.unpack(e.pack());
          expect(back?.hash()).toEqual(e.hash());
          expect(fromBinary(EquivocationSchema, e.pack().value)).toEqual(e.message);
        },
      ),
    );
  });
});
