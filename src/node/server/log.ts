/** Writes a line to the log, which is stderr. */
export const report = (line: string): void => void process.stderr.write(`${line}\n`);

/** Logs a bug with its stack: clients receive only that there is one. */
export const reportBug = (error: unknown): void =>
  report(String(error instanceof Error ? error.stack : error));
