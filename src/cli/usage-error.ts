/** Thrown for unusable arguments; sets the exit status for an unusable command line. */
export class UsageError extends Error {}
