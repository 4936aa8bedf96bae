/**
 * Fails to compile where a switch over a union leaves out a member, and throws if one is met all the same.
 */
export function unreachable(value: never): never {
  throw new TypeError(`not a member of the union: ${JSON.stringify(value)}`);
}
