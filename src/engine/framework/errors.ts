/**
 * Errors are data: a codespace, a code and a text, as the field registers them. Any other error thrown on
 * purpose is a panic of the modelled software; one of JavaScript's own classes is a bug of the simulator.
 */
import { errorText, isBug } from "../../input/error-text.ts";
import { PrefixError } from "../primitives/bech32.ts";

export { errorText };

/** An error with a registered identity. `message` is what a transaction log or a client shows. */
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

/** A registered error: throw `ErrX.wrap("context")`, which reads `context: text`, or `ErrX.bare()`. */
export interface RegisteredError {
  readonly codespace: string;
  readonly code: number;
  readonly text: string;
  wrap(context: string): ChainError;
  bare(): ChainError;
}

/** Every error that the modules loaded so far register; one that two modules give is there twice. */
export const registeredErrors: RegisteredError[] = [];

/** Registers an error of a codespace. Codes below 2 belong to success and to internal errors. */
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

/** Returns a modelled error with a text before its own and the same identity; a bug is thrown again. */
export function wrapError(error: unknown, context: string): ChainError {
  return error instanceof ChainError
    ? new ChainError(error.codespace, error.code, `${context}: ${error.message}`)
    : plainError(`${context}: ${modelledText(error)}`);
}

/** A command that is refused with nothing changed. Any other error of a command is a bug of the simulator. */
export class CommandError extends Error {}

/** A deliberate panic: unlike a ChainError it is never a regular answer. */
export class Panic extends Error {
  constructor(text: string) {
    super(text);
    this.name = "Panic";
  }
}

/**
 * The text of an error that modelled software threw on purpose (rules/consensus 8.4). JavaScript's own error
 * classes are bugs of the simulator; they, a refused command and what is no Error are thrown again.
 */
export function modelledText(error: unknown): string {
  if (!(error instanceof Error) || error instanceof CommandError || isBug(error)) throw error;
  return error.message;
}

/** Runs `body`, with a prefix before the text of a modelled error. */
export function prefixed<T>(prefix: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw plainError(`${prefix}${modelledText(error)}`);
  }
}

/** The root errors (codespace `sdk`) that modules wrap (rules/consensus 8.3). */
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

/** The error of reading a text that is no address, as upstream returns it: registered where its prefix is another one. */
export const addressError = (error: unknown): ChainError =>
  error instanceof PrefixError
    ? new ChainError(sdkErrors.logic.codespace, sdkErrors.logic.code, error.message)
    : plainError(modelledText(error));

/** The same as a query returns it that hands it on as it is: gRPC's Unknown, with its identity if it has one. */
export const unknownAddress = (error: unknown): Error =>
  error instanceof PrefixError
    ? addressError(error)
    : new StatusError(STATUS.unknown, modelledText(error));

/** Code under which a recovered panic is reported in codespace `undefined` (rules/consensus 8.4). */
export const PANIC_CODE = 111222;

/** gRPC status codes that requests are answered with. */
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

/** Why a request was refused or failed: `code` is a gRPC status code. */
export class StatusError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "StatusError";
    this.code = code;
  }
}
