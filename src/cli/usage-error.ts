/** What is given on a command line cannot be used: the exit status is that of an unusable one. */
export class UsageError extends Error {}
