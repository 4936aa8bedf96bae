/** A machine's files as they will be once the work at hand is done; nothing is written before. */
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

  /** Files whose path begins so, with their content. */
  below(prefix: string): readonly (readonly [string, string])[] {
    const all = new Map([...this.#base, ...this.changes]);
    return [...all].filter(([path]) => path.startsWith(prefix));
  }
}
