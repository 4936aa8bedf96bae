/** Bytes as base64 by the coder that protobuf brings along. */
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";

export const toBase64 = (bytes: Uint8Array): string => base64Encode(bytes);

/** Standard alphabet with padding; throws on anything else, of which the coder takes some. */
export function fromBase64(text: string): Uint8Array {
  const bytes = base64Decode(text);
  if (toBase64(bytes) !== text) throw new Error("invalid base64 string");
  return bytes;
}
