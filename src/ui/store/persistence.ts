/**
 * Asks the browser not to evict this site's storage: when the user names, copies or imports a
 * world, since that one should stay. Some browsers ask the user, others decide themselves.
 */
export const requestPersistence = (): Promise<boolean> =>
  // Only secure pages have a storage manager.
  (navigator.storage as StorageManager | undefined)?.persist().catch(() => false) ??
  Promise.resolve(false);
