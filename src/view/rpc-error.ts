import { STATUS, StatusError } from "../engine/framework/errors.ts";

/** Error of a refused JSON-RPC call (rules/clients 2.3). */
export class RpcError extends Error {
  readonly code: number;
  /** Details of the error; absent if the message contains them. */
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

export const internalError = (text: string): RpcError =>
  new RpcError(-32603, "Internal error", text);
export const invalidParams = (text: string): RpcError =>
  new RpcError(-32602, "Invalid params", text);
export const invalidRequest = (text: string): RpcError =>
  new RpcError(-32600, "Invalid Request", text);
export const methodNotFound = (): RpcError => new RpcError(-32601, "Method not found");
export const parseError = (text: string): RpcError =>
  new RpcError(-32700, "Parse error. Invalid JSON", text);
/** Converts the error of a request that got no turn: the node is too busy. */
export const busyOr = (error: unknown): unknown =>
  error instanceof StatusError && error.code === STATUS.resourceExhausted
    ? serverError(error.message)
    : error;
export const serverError = (text: string): RpcError => new RpcError(-32000, "Server error", text);
