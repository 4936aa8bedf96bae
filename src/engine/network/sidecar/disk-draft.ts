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
   * The content of what is to be run from a path. A folder exists by what lies below it. Throws when
   * there is no file.
   */
  regularFile(path: string): string {
    const content = this.get(path);
    if (content !== undefined) return content;
    if (this.below(`${path}/`).length === 0)
      throw plainError(`stat ${path}: no such file or directory`);
    throw plainError(`${path.slice(path.lastIndexOf("/") + 1)} is not a regular file`);
  }

  /** Files whose path begins so, with their content. */
  below(prefix: string): readonly (readonly [string, string])[] {
    const all = new Map([...this.#base, ...this.changes]);
    return [...all].filter(([path]) => path.startsWith(prefix));
  }
}
