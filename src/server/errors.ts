import { Code, ConnectError } from "@connectrpc/connect";
import { isBug } from "../base/error-text.ts";
import { ChainError } from "../engine/framework/errors.ts";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.ts";
import { asStatus } from "../view/rest.ts";
import { shortened } from "./message-text.ts";
import type { QueriedChain } from "./queried-chain.ts";

/**
 * Converts an error to gRPC: a registered one also as data, with its codespace and code
 * (rules/clients 5.2).
 */
export function connectError(
  error: unknown,
  { reportBug }: Pick<QueriedChain, "reportBug">,
): ConnectError {
  if (error instanceof ConnectError) return error;
  if (isBug(error)) reportBug(error);
  const { code, message } = asStatus(error);
  const details =
    error instanceof ChainError
      ? [
          {
            desc: ErrorInfoSchema,
            value: { reason: String(error.code), domain: error.codespace },
          },
        ]
      : [];
  return new ConnectError(
    shortened(message),
    Code[code] === undefined ? Code.Unknown : code,
    undefined,
    details,
  );
}
