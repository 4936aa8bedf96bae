/** Runs a generator to its end; returns what it returns. */
export function drain<T>(generator: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = generator.next();
    if (done) return value;
  }
}
