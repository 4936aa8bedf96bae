import { fromUtf8, utf8 } from "../../../base/bytes.ts";
import { accountPart, describer, type KeyPart, textRest } from "../../framework/describe.ts";
import { PREFIX } from "./keys.ts";

/** A denom terminated by a zero byte. */
const denomPart: KeyPart = {
  read: (key, at) => {
    const end = key.indexOf(0, at);
    return { text: fromUtf8(key.subarray(at, end)), end: end + 1 };
  },
  write: (text) => utf8(`${text}\0`),
};

export const describe = describer(PREFIX, {
  supply: { kind: "supply", of: [textRest], value: fromUtf8 },
  balance: { kind: "balance", of: [accountPart, textRest], value: fromUtf8 },
  denomOwner: { kind: "denom owner", of: [denomPart, accountPart] },
});
