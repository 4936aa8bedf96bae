import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { fromHex } from "../engine/primitives/from-hex.ts";

/** Characters of what was found that an error says. */
const SHOWN = 1000;

/** The bytes of a key in hex. Throws StatusError for other text. */
export function bytesOf(hex: string): Uint8Array {
  if (/^([0-9a-f]{2})*$/i.test(hex)) return fromHex(hex);
  const found = hex.length > SHOWN ? `${hex.slice(0, SHOWN)}…` : hex;
  throw new StatusError(STATUS.invalidArgument, `expected a key in hex, found "${found}"`);
}
