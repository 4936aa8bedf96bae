import type { OutgoingHttpHeaders } from "node:http2";
import { shortened } from "../../../server/message-text.ts";

/**
 * Trailers whose message is escaped as the protocol requires: of printable characters only the
 * percent sign. The library escapes more, which some clients do not decode.
 */
export function withPlainMessage(trailers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const { "grpc-message": message } = trailers;
  if (typeof message !== "string") return trailers;
  return { ...trailers, "grpc-message": escaped(decodeURIComponent(message)) };
}

export const escaped = (message: string): string =>
  shortened(message).replace(/[^ -$&-~]+/g, (part) => encodeURIComponent(part));
