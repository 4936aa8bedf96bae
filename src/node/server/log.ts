/** Writes a bug with its place to the log: clients are told only that there is one. */
export const reportBug = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
