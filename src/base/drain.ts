/** Runs a generator to its end and returns its return value. */
export function drain<T>(generator: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}
