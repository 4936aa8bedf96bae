import { validateReadWriteMaxBytes } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import { SERVER } from "../../../base/limits.ts";

/**
 * Size limits of calls and answers, in bytes; longer answers are compressed unless the client
 * refuses.
 */
export const LIMITS = validateReadWriteMaxBytes(SERVER.callBytes, SERVER.answerBytes, undefined);

/** The first one that a client accepts is used. */
export const COMPRESSIONS = [compressionGzip, compressionBrotli];
