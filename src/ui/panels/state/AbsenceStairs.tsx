import { Pictured } from "../../pictures/Pictured.tsx";
import type { StoreProof } from "../../store/types.ts";
import { useNames } from "../../widgets/use-names.ts";
import css from "./AbsenceStairs.module.css";
import type { Absence, Neighbour } from "./absence.ts";
import { shortKey } from "./KeyList.tsx";
import { Flight } from "./Staircase.tsx";

interface AbsenceStairsProps {
  store: string;
  proof: StoreProof;
  absence: Absence;
  /** Name of the missing key. */
  name: string;
}

/**
 * The hashes above the two neighbours of a missing key: they join, so that nothing is between, and
 * continue to the app hash.
 */
export function AbsenceStairs({ store, proof, absence, name }: AbsenceStairsProps) {
  const { left, right, shared } = absence;
  const both = left !== undefined && right !== undefined;
  const flight = { store, proof };
  const missing = (
    <p className={css.missing}>
      <b>{name}</b> would be here: {placeOf(left, right)}
    </p>
  );
  return (
    <Pictured title={`Proof that a key is not in ${store}`}>
      <section
        className={css.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label="Hashes from the keys beside it up to the app hash"
      >
        <div className={css.beside} data-both={both || undefined}>
          {left && <Side of="The key before it" neighbour={left} joins={both} {...flight} />}
          {missing}
          {right && (
            <Side
              of="The key after it"
              neighbour={right}
              joins={both}
              mirrored={both}
              {...flight}
            />
          )}
        </div>
        {shared.length > 0 && (
          <div>
            <h3>{both ? "Above where both meet" : "From the root of an empty tree"}</h3>
            <Flight hashes={shared} {...flight} />
          </div>
        )}
      </section>
    </Pictured>
  );
}

const placeOf = (left: Neighbour | undefined, right: Neighbour | undefined): string => {
  if (left && right) return "nothing is between the two.";
  if (left) return "nothing is after the last key.";
  return right ? "nothing is before the first key." : "the store is empty.";
};

interface SideProps {
  of: string;
  neighbour: Neighbour;
  store: string;
  proof: StoreProof;
  joins: boolean;
  mirrored?: boolean;
}

function Side({ of, neighbour, ...flight }: SideProps) {
  const named = useNames();
  const { key, name } = neighbour.proof;
  return (
    <div>
      <h3>
        {of}: {named(name) || <code title={key}>{shortKey(key)}</code>}
      </h3>
      <Flight hashes={neighbour.hashes} first={shortKey(key)} {...flight} />
    </div>
  );
}
