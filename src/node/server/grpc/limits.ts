import { validateReadWriteMaxBytes } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import { SERVER } from "../../../input/limits.ts";

/**
 * Limits of calls and answers, in bytes; unless a client takes no compression, longer answers are
 * compressed.
 */
export const LIMITS = validateReadWriteMaxBytes(SERVER.callBytes, SERVER.answerBytes, undefined);

/** The first that a client takes is used. */
export const COMPRESSIONS = [compressionGzip, compressionBrotli];
