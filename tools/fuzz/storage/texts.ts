import { assertInvariant } from "../../../src/engine/simulation/invariants.testing.ts";
import {
  isLanguageError,
  soundsLikeLanguageError,
} from "../../../src/engine/simulation/world-invariants.testing.ts";

/** Undefined where it is refused with a sentence. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isLanguageError(error) || (error as Error).name === "InvariantError") throw error;
    proper((error as Error).message);
    return undefined;
  }
}

/** Throws an InvariantError for a text that is not for people. @param actions of a notice */
export function proper(message: string, actions?: readonly unknown[]): void {
  assertInvariant("texts are for people", !soundsLikeLanguageError(message), () => message);
  const whole = !/undefined|NaN|: ?\./.test(message);
  assertInvariant("texts say what they are about", whole || !actions, () => message);
  assertInvariant(
    "a notice says what can be done",
    actions === undefined || actions.length > 0,
    () => message,
  );
}
