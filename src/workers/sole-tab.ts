/** A tab that was just closed or reloaded lets go a little later. */
const PATIENCE_MS = 1500;

/** Whether this is the one tab that may write; it stays so until it is closed. */
export function soleTab(name: string): Promise<boolean> {
  // Only on pages that are not secure there are no locks.
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve(true);
      return new Promise(() => {});
    };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    navigator.locks.request(name, { signal }, hold).catch(() => resolve(false));
  });
}
