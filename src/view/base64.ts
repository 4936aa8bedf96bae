/** Base64 of bytes, with the codec that protobuf includes. */
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";

export const toBase64 = (bytes: Uint8Array): string => base64Encode(bytes);

/** Standard alphabet with padding; throws on any other text, some of which the codec accepts. */
export function fromBase64(text: string): Uint8Array {
  const bytes = base64Decode(text);
  if (toBase64(bytes) !== text) throw new Error("invalid base64 string");
  return bytes;
}
