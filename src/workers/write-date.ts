/** A file with the time of the last write to this origin's database, stored outside of it. */
const NAME = "chainlab-written";

/**
 * Opens the date. It is read before it is set, and set once: the answer is the last write before
 * now.
 */
export function openWriteDate() {
  let before: Promise<number | undefined> | undefined;
  let after: Promise<void> | undefined;
  const read = (): Promise<number | undefined> => {
    before ??= file().then(
      async (handle) => (await handle.getFile()).lastModified,
      () => undefined,
    );
    return before;
  };
  return {
    /** Milliseconds since 1970; undefined if nothing was written or the browser stores no files. */
    read,
    /** Sets the date to now, on its first call. Never rejects: no world depends on it. */
    set(): Promise<void> {
      after ??= read()
        .then(touch)
        .catch(() => {});
      return after;
    },
  };
}

async function file(options?: FileSystemGetFileOptions): Promise<FileSystemFileHandle> {
  const folder = await navigator.storage.getDirectory();
  return folder.getFileHandle(NAME, options);
}

async function touch(): Promise<void> {
  const handle = await file({ create: true });
  const access = await handle.createSyncAccessHandle();
  access.write(new Uint8Array(1), { at: 0 });
  access.close();
}
