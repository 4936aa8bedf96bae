import { plainError } from "../../framework/errors.ts";
/** A node's files with changes that are not yet written. */
export class DiskDraft {
  readonly #base: ReadonlyMap<string, string>;
  readonly changes = new Map<string, string>();

  constructor(base: ReadonlyMap<string, string>) {
    this.#base = base;
  }

  get(path: string): string | undefined {
    return this.changes.get(path) ?? this.#base.get(path);
  }

  set(path: string, content: string): void {
    this.changes.set(path, content);
  }

  /**
   * Content of the file to run at a path. A folder exists if it contains files. Throws when there
   * is no file.
   */
  regularFile(path: string): string {
    const content = this.get(path);
    if (content !== undefined) return content;
    if (this.below(`${path}/`).length === 0)
      throw plainError(`stat ${path}: no such file or directory`);
    throw plainError(`${path.slice(path.lastIndexOf("/") + 1)} is not a regular file`);
  }

  /** Files whose path starts with a prefix, with their content. */
  below(prefix: string): readonly (readonly [string, string])[] {
    const all = new Map([...this.#base, ...this.changes]);
    return [...all].filter(([path]) => path.startsWith(prefix));
  }
}
