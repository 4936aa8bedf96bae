import type { GovNote, Observer } from "../frame/observer.ts";

type GovStep = GovNote["step"];
type GovData<K extends GovStep["kind"]> = Extract<GovStep, { kind: K }>["data"];

/** Notes of the blocks on one proposal, in order. */
export class Notes {
  readonly #notes: readonly GovNote[];

  constructor(notes: readonly GovNote[]) {
    this.#notes = notes;
  }

  /** The newest note of a kind; of one block if a height is passed. */
  last<K extends GovStep["kind"]>(
    kind: K,
    at?: number,
  ): { readonly height: number; readonly data: GovData<K> } | undefined {
    const note = this.#notes.findLast(
      ({ height, step }) => step.kind === kind && (at === undefined || height === at),
    );
    return note && { height: note.height, data: note.step.data as GovData<K> };
  }

  heightsOf(kind: GovStep["kind"]): readonly number[] {
    return this.#notes.filter(({ step }) => step.kind === kind).map(({ height }) => height);
  }
}

/** Notes of the blocks, by proposal. */
export function notesOf({ govNotes }: Observer): ReadonlyMap<number, Notes> {
  const lists = new Map<number, GovNote[]>();
  for (const note of govNotes) {
    if (!("proposalId" in note.step.data)) continue;
    const id = Number(note.step.data.proposalId);
    const list = lists.get(id);
    if (list) list.push(note);
    else lists.set(id, [note]);
  }
  return new Map([...lists].map(([id, list]) => [id, new Notes(list)]));
}
