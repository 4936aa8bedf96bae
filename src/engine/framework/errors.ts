/**
 * Errors are data: a codespace, a code and a text, registered as in the Cosmos SDK. Any other error
 * thrown on purpose is a panic of the modelled software; an error of one of JavaScript's own
 * classes is a bug of the simulator.
 */

import { PrefixError } from "../../base/bech32.ts";
import { errorText, isBug } from "../../base/error-text.ts";

export { errorText };

/** An error with a registered identity. `message` is the text in transaction logs and clients. */
export class ChainError extends Error {
  readonly codespace: string;
  readonly code: number;

  constructor(codespace: string, code: number, message: string) {
    super(message);
    this.name = "ChainError";
    this.codespace = codespace;
    this.code = code;
  }
}

/**
 * A registered error: throw `ErrX.wrap("context")`, with the text `context: text`, or
 * `ErrX.bare()`.
 */
export interface RegisteredError {
  readonly codespace: string;
  readonly code: number;
  readonly text: string;
  wrap(context: string): ChainError;
  bare(): ChainError;
}

/** Errors registered by the modules loaded so far; duplicates of two modules are included. */
export const registeredErrors: RegisteredError[] = [];

/**
 * Registers an error of a codespace. Codes below 2 are reserved for success and internal errors.
 */
export function registerError(codespace: string, code: number, text: string): RegisteredError {
  const error: RegisteredError = {
    codespace,
    code,
    text,
    wrap: (context) => new ChainError(codespace, code, `${context}: ${text}`),
    bare: () => new ChainError(codespace, code, text),
  };
  registeredErrors.push(error);
  return error;
}

/** An error without a registered identity: codespace `undefined`, code 1. */
export const plainError = (text: string): ChainError => new ChainError("undefined", 1, text);

/** Returns a modelled error with context before its text and the same identity; rethrows a bug. */
export function wrapError(error: unknown, context: string): ChainError {
  return error instanceof ChainError
    ? new ChainError(error.codespace, error.code, `${context}: ${error.message}`)
    : plainError(`${context}: ${modelledText(error)}`);
}

/**
 * A command was refused without changing anything. Any other error of a command is a bug of the
 * simulator.
 */
export class CommandError extends Error {}

/** A deliberate panic: unlike a ChainError it is never a regular result. */
export class Panic extends Error {
  constructor(text: string) {
    super(text);
    this.name = "Panic";
  }
}

/**
 * Text of an error that modelled software threw on purpose (rules/consensus 8.4). Rethrows errors
 * of JavaScript's own classes, which are bugs of the simulator, refused commands, and values that
 * are not Errors.
 */
export function modelledText(error: unknown): string {
  if (!(error instanceof Error) || error instanceof CommandError || isBug(error)) throw error;
  return error.message;
}

/** Runs `body`, and prefixes the text of a modelled error. */
export function prefixed<T>(prefix: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw plainError(`${prefix}${modelledText(error)}`);
  }
}

/** Root errors (codespace `sdk`) that modules wrap (rules/consensus 8.3). */
export const sdkErrors = {
  unauthorized: registerError("sdk", 4, "unauthorized"),
  insufficientFunds: registerError("sdk", 5, "insufficient funds"),
  unknownRequest: registerError("sdk", 6, "unknown request"),
  invalidAddress: registerError("sdk", 7, "invalid address"),
  unknownAddress: registerError("sdk", 9, "unknown address"),
  invalidCoins: registerError("sdk", 10, "invalid coins"),
  invalidRequest: registerError("sdk", 18, "invalid request"),
  invalidType: registerError("sdk", 29, "invalid type"),
  wrongSequence: registerError("sdk", 32, "incorrect account sequence"),
  logic: registerError("sdk", 35, "internal logic error"),
  notFound: registerError("sdk", 38, "not found"),
} as const;

/**
 * Upstream's error for a text that is not an address: a registered error if the prefix is
 * different.
 */
export const addressError = (error: unknown): ChainError =>
  error instanceof PrefixError
    ? new ChainError(sdkErrors.logic.codespace, sdkErrors.logic.code, error.message)
    : plainError(modelledText(error));

/**
 * Same for a query that returns the error unchanged: gRPC's Unknown, with its identity if it has
 * one.
 */
export const unknownAddress = (error: unknown): Error =>
  error instanceof PrefixError
    ? addressError(error)
    : new StatusError(STATUS.unknown, modelledText(error));

/**
 * Code under which a recovered panic is reported in codespace `undefined` (rules/consensus 8.4).
 */
export const PANIC_CODE = 111222;

/** gRPC status codes of responses. */
export const STATUS = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Error of a refused or failed request: `code` is a gRPC status code. */
export class StatusError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "StatusError";
    this.code = code;
  }
}
