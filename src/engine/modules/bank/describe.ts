import { accountPart, describer, type KeyPart, restPart } from "../../framework/describe.ts";
import { fromUtf8 } from "../../primitives/bytes.ts";
import { PREFIX } from "./keys.ts";

/** A denom that ends with a zero byte. */
const denomPart: KeyPart = (key, at) => {
  const end = key.indexOf(0, at);
  return { text: fromUtf8(key.subarray(at, end)), end: end + 1 };
};

/** Describes the entries of the bank store. */
export const describe = describer(PREFIX, {
  supply: { kind: "supply", of: [restPart(fromUtf8)], value: fromUtf8 },
  balance: { kind: "balance", of: [accountPart, restPart(fromUtf8)], value: fromUtf8 },
  denomOwner: { kind: "denom owner", of: [denomPart, accountPart] },
});
