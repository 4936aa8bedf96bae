/** A world of a list, as printed. */
export interface ListedWorld {
  readonly id: string;
  readonly name: string;
  readonly height: number;
  readonly bytes: number;
  /** RFC 3339; empty if it cannot be read. */
  readonly saved: string;
  /** Absent unless it is a branch. */
  readonly parent?: { readonly world: string; readonly height: number } | undefined;
  readonly note?: string;
  readonly impossible?: boolean;
  /** Reason why it cannot be opened; absent, or empty, if it can be. */
  readonly problem?: string;
  readonly isDeleted?: boolean;
  readonly isPlayed?: boolean;
}

/** A line of a list; a branch names its parent as listed there. */
export function worldLine(
  world: ListedWorld,
  all: readonly Pick<ListedWorld, "id" | "name">[],
): string {
  const { id, name, height, bytes, saved, parent, note = "", problem = "" } = world;
  const from = parent && (all.find((one) => one.id === parent.world)?.name ?? parent.world);
  const facts = [
    `height ${height}`,
    `${bytes} bytes`,
    ...(saved === "" ? [] : [`saved ${saved}`]),
    ...(parent === undefined
      ? []
      : [
          parent.height === 0
            ? `the commands of ${from} with another beginning`
            : `branched off from ${from} after height ${parent.height}`,
        ]),
    ...(world.impossible ? ["changed by hand"] : []),
    ...(world.isDeleted ? ["deleted"] : []),
    ...(world.isPlayed ? ["played"] : []),
  ];
  const why = problem === "" ? "" : `; it cannot be opened: ${problem}`;
  const text = note === "" ? "" : `\n    ${note.replace(/\s+/g, " ")}`;
  return `${id}  ${name}: ${facts.join(", ")}${why}${text}\n`;
}

/**
 * The world with an id, or the only one with a name. Throws an Error that lists them.
 * @param kind of the searched object: `a world`
 */
export function worldNamed<W extends { readonly id: string; readonly name: string }>(
  worlds: readonly W[],
  wanted: string,
  kind = "a world",
): W {
  const named = worlds.filter(({ name }) => name === wanted);
  const only =
    worlds.find(({ id }) => id === wanted) ?? (named.length === 1 ? named[0] : undefined);
  if (only !== undefined) return only;
  const names = (named.length > 1 ? named : worlds)
    .map(({ id, name }) => `${id} (${name})`)
    .join(", ");
  const those = names === "" ? "there is none" : `there are ${names}`;
  throw new Error(
    named.length > 1
      ? `${wanted}: ${named.length} worlds have this name; expected the id of one: ${names}`
      : `expected ${kind} by its name or id, found ${wanted}; ${those}`,
  );
}
