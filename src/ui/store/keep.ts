/**
 * Asks the browser not to clear this site's storage by itself: when a person names, copies or imports a
 * world, since that one is meant to stay. Some browsers ask the person, others decide by themselves.
 */
export const askToKeep = (): Promise<boolean> =>
  // Only secure pages have a storage manager.
  (navigator.storage as StorageManager | undefined)?.persist().catch(() => false) ??
  Promise.resolve(false);
