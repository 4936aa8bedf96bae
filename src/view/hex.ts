import { fromHex } from "../base/from-hex.ts";
import { isHex, notHex } from "../base/hex-text.ts";
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";

/** The bytes of a key in hex. Throws StatusError for other text. */
export function bytesOf(hex: string): Uint8Array {
  if (isHex(hex)) return fromHex(hex);
  throw new StatusError(STATUS.invalidArgument, notHex("a key", hex));
}

/**
 * The bytes of a hash in hex. Throws StatusError with Go's text for an invalid one, as upstream's
 * commands and queries do (rules/clients 6.5).
 */
export function hashOf(hex: string, code: number = STATUS.invalidArgument): Uint8Array {
  try {
    return fromHex(hex);
  } catch (error) {
    throw new StatusError(code, errorText(error));
  }
}
