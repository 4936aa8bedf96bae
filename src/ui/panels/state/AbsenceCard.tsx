import { hrefTo } from "../../store/route.ts";
import type { StoreProof, Tampered } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { useCopy } from "../../widgets/use-copy.ts";
import { AbsenceStairs } from "./AbsenceStairs.tsx";
import type { Absence } from "./absence.ts";
import css from "./ProofCard.module.css";
import { HashedParts } from "./Staircase.tsx";

interface AbsenceCardProps {
  store: string;
  /** Name of the missing key. */
  name: string;
  proof: StoreProof;
  absence: Absence;
  /** The manual edit after this block. */
  edit: Tampered | undefined;
}

/**
 * The proof that a key is missing: its neighbouring keys, with the hashes above both computed in
 * this page.
 */
export function AbsenceCard({ store, name, proof, absence, edit }: AbsenceCardProps) {
  const copy = useCopy();
  const { left, right, shared } = absence;
  const hashes = [...(left?.hashes ?? []), ...(right?.hashes ?? []), ...shared];
  return (
    <section className={`card ${css.proof}`} data-wide="" aria-label="Proof">
      <header className={css.head}>
        <h2>
          {name} is not there: the proof up to the app hash
          {proof.headerHeight > 0 && ` in block ${count(proof.headerHeight)}`}
        </h2>
        <button
          type="button"
          onClick={() => copy(JSON.stringify(proof, undefined, 2), "the proof, as JSON")}
        >
          Copy proof
        </button>
      </header>
      <Verdict {...{ name, proof, absence, edit }} hashes={hashes.length} />
      <AbsenceStairs {...{ store, name, proof, absence }} />
      <OnDemand title={`What is hashed in each of the ${hashes.length} steps`}>
        {() => <HashedParts store={store} hashes={hashes} />}
      </OnDemand>
    </section>
  );
}

interface VerdictProps extends Omit<AbsenceCardProps, "store"> {
  /** Number of computed hashes. */
  hashes: number;
}

/**
 * Reports whether the hashes computed here end with the app hash in the header, and whether the
 * neighbours are adjacent.
 */
function Verdict({ name, proof, absence, edit, hashes }: VerdictProps) {
  const { headerHeight, headerAppHash, appHash, height } = proof;
  const { end, problem, left, right } = absence;
  const stated = headerHeight > 0 ? headerAppHash : appHash;
  const holds = end === stated && problem === "";
  const by =
    headerHeight > 0 ? (
      <>
        the app hash in{" "}
        <a href={hrefTo({ selection: { kind: "block", id: String(headerHeight) } })}>
          header {count(headerHeight)}
        </a>
      </>
    ) : (
      `the app hash of the nodes after block ${count(height)}, which header ${count(height + 1)} will carry`
    );
  return (
    <p className="small" data-testid="proof-verdict">
      {count(hashes)} hashes, recomputed here.{" "}
      {holds ? (
        <>
          <b className={css.holds}>✓ {name} is not there:</b> {whyNot(left, right)}, and the last
          hash equals {by}.
        </>
      ) : (
        <>
          <b className={css.not}>≠ This does not show that {name} is not there:</b>{" "}
          {problem || <>the last hash differs from {by}</>}.
        </>
      )}
      {edit && " The blocks lead to this value; the nodes’ own value was edited by hand."}
    </p>
  );
}

function whyNot(left: Absence["left"], right: Absence["right"]): string {
  if (left && right) return "the keys beside its place are neighbours";
  if (left) return "the key before its place is the last of the store";
  return right
    ? "the key after its place is the first of the store"
    : "the store's root is that of an empty tree, SHA-256 of nothing";
}
