import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { fromHex } from "../engine/primitives/from-hex.ts";
import { isHex, notHex } from "../input/hex-text.ts";

/** The bytes of a key in hex. Throws StatusError for other text. */
export function bytesOf(hex: string): Uint8Array {
  return bytesNamed("a key", hex);
}

/** The same of what has a name of its own, such as `the hash of a block`. */
export function bytesNamed(what: string, hex: string, isIt = isHex): Uint8Array {
  if (isIt(hex)) return fromHex(hex);
  throw new StatusError(STATUS.invalidArgument, notHex(what, hex));
}
