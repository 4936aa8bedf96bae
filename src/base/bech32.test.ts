import { bech32 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moduleAddress } from "./address.ts";
import {
  accAddress,
  consAddress,
  decodeBech32,
  encodeBech32,
  fromAccAddress,
  fromConsAddress,
  fromValAddress,
  valAddress,
} from "./bech32.ts";
import { toHex } from "./bytes.ts";

const GOV = "chain10d07y265gmmuvt4z0w9aw880jnsr700j0q8wax";

describe("module addresses", () => {
  test("gov's is the default authority (rules/upgrade 3.1)", () => {
    expect(toHex(moduleAddress("gov"))).toBe("7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2");
    expect(accAddress(moduleAddress("gov"))).toBe(GOV);
  });

  test("upstream's texts of other modules, under its own prefix", () => {
    const cosmos = (name: string) => encodeBech32("cosmos", moduleAddress(name));
    expect(cosmos("gov")).toBe("cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn");
    expect(cosmos("distribution")).toBe("cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl");
    expect(cosmos("upgrade")).toBe("cosmos10lheg7wgh3drep5frjuzj6wt7tluw0rnw5lse7");
  });
});

test("accounts, operators and consensus keys have their own prefixes", () => {
  const address = moduleAddress("gov");
  expect(accAddress(address)).toMatch(/^chain1/);
  expect(valAddress(address)).toMatch(/^chainvaloper1/);
  expect(consAddress(address)).toMatch(/^chainvalcons1/);
  expect(fromAccAddress(accAddress(address))).toEqual(address);
  expect(fromValAddress(valAddress(address))).toEqual(address);
  expect(fromConsAddress(consAddress(address))).toEqual(address);
});

test("addresses of any length are read back, in upper case too", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 255 }), (bytes) => {
      const text = encodeBech32("chain", bytes);
      expect(decodeBech32("chain", text)).toEqual(bytes);
      expect(decodeBech32("chain", text.toUpperCase())).toEqual(bytes);
      expect(encodeBech32("chain", bytes)).toBe(text);
      expect(bech32.encode("chain", bech32.toWords(bytes), 1023), "the library's").toBe(text);
    }),
  );
});

test("words of any number and any end are read back as the library reads them", () => {
  const words = fc.array(fc.nat(31), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, (payload) => {
      const expected = bech32.fromWordsUnsafe(payload);
      const text = bech32.encode("chain", payload, 1023);
      const read = () => decodeBech32("chain", text);
      if (expected) expect(read()).toEqual(expected);
      else expect(read).toThrow("decoding bech32 failed: invalid incomplete group");
    }),
  );
});

describe("errors in the SDK's words", () => {
  const error = (text: string) => {
    try {
      fromAccAddress(text);
    } catch (caught) {
      return (caught as Error).message;
    }
    return "no error";
  };

  test("empty or blank", () => {
    expect(error("")).toBe("empty address string is not allowed");
    expect(error("  ")).toBe("empty address string is not allowed");
  });

  test("another prefix", () => {
    expect(error(valAddress(moduleAddress("gov")))).toBe(
      "hrp does not match bech32 prefix: expected 'chain' got 'chainvaloper': internal logic error",
    );
  });

  test("each way a text can fail to be bech32", () => {
    expect(error("chain1")).toBe("decoding bech32 failed: invalid bech32 string length 6");
    expect(error(`${GOV} `)).toBe("decoding bech32 failed: invalid character in string: ' '");
    expect(error(`C${GOV.slice(1)}`)).toBe(
      "decoding bech32 failed: string not all lowercase or all uppercase",
    );
    expect(error("no separator")).toBe("decoding bech32 failed: invalid character in string: ' '");
    expect(error("noseparator")).toBe("decoding bech32 failed: invalid separator index -1");
    expect(error("chain1abcde")).toBe("decoding bech32 failed: invalid separator index 5");
    expect(error(GOV.replace("10d", "1bd"))).toBe(
      "decoding bech32 failed: invalid character not part of charset: 98",
    );
    expect(error(GOV.replace(/x$/, "y"))).toBe(
      "decoding bech32 failed: invalid checksum (expected 0q8wax got 0q8way)",
    );
  });
});
