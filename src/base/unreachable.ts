/**
 * Fails to compile if a switch over a union omits a member, and throws if it is called
 * nevertheless.
 */
export function unreachable(value: never): never {
  throw new TypeError(`not a member of the union: ${JSON.stringify(value)}`);
}
