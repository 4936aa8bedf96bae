/** A tab that was just closed or reloaded lets go a little later. */
const PATIENCE_MS = 1500;

/**
 * Takes the lock of this name until the tab is closed; false if another tab holds it. Without a lock
 * manager, which only secure pages have, every tab may write.
 */
export function takeSingleWriterLock(
  locks: Pick<LockManager, "request"> | undefined,
  name: string,
  patience = AbortSignal.timeout(PATIENCE_MS),
): Promise<boolean> {
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve(true);
      return new Promise(() => {});
    };
    locks.request(name, { signal: patience }, hold).catch(() => resolve(false));
  });
}
