import { useState } from "react";
import { WATCHED } from "../../store/notices.ts";
import { usePage } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { StoreProof, Tampered } from "../../store/types.ts";
import { useWatching } from "../../widgets/ControlButton.tsx";
import { count } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { useCopy } from "../../widgets/use-copy.ts";
import { AbsenceCard } from "./AbsenceCard.tsx";
import { absenceOf } from "./absence.ts";
import type { StateAnswer } from "./ask-state.ts";
import { proofHashes, toHex } from "./check-proof.ts";
import css from "./ProofCard.module.css";
import { HashedParts, Staircase } from "./Staircase.tsx";
import { changedByte, TamperedValue, type Tampering } from "./TamperedValue.tsx";
import { useTampered } from "./use-tampered.ts";

interface ProofCardProps {
  store: string;
  /** The key, in hex and as text. */
  of: string;
  name: string;
  height: number;
  proof: StateAnswer<StoreProof>;
}

/**
 * The proof of a key as a staircase of hashes, each computed in this page, up to the app hash in
 * the next header. One byte of the value can be changed to see the mismatch; the chain is
 * unaffected.
 */
export function ProofCard({ store, of: key, name, height, proof }: ProofCardProps) {
  const { answer, problem } = proof;
  const tampered = useTampered();
  const held = tampered.findLast((each) => each.height === height);
  const here = held?.store === store && held.key === key ? held : undefined;
  const [chosen, setTampering] = useState<Tampering | null>();
  const tampering = chosen === undefined && here ? tamperingOf(here) : (chosen ?? undefined);
  const { dialog } = usePage();
  const watching = useWatching();
  const copy = useCopy();
  if (problem) return <p className="card soft">{problem}.</p>;
  if (answer === undefined) return null;
  const absence = absenceOf(answer);
  if (absence) return <AbsenceCard {...{ store, name, absence, edit: held }} proof={answer} />;
  if (answer.tree === undefined) return null;
  const hashes = proofHashes(answer);
  const { value } = answer.tree;
  const other = tampering && changedByte(value, tampering);
  const changed = other === value ? undefined : other;
  const others = changed === undefined ? undefined : proofHashes(answer, changed);
  return (
    <section className={`card ${css.proof}`} data-wide="" aria-label="Proof">
      <header className={css.head}>
        <h2>
          From {name} up to the app hash
          {answer.headerHeight > 0 && ` in block ${count(answer.headerHeight)}`}
        </h2>
        <button
          type="button"
          onClick={() => copy(JSON.stringify(answer, undefined, 2), "the proof, as JSON")}
        >
          Copy proof
        </button>
      </header>
      <Verdict proof={answer} end={hashes.at(-1)?.hash ?? ""} steps={hashes.length} edit={held} />
      {changed !== undefined && (
        <div className={css.impossible} role="status">
          <p>
            <b>Impossible: one byte of {name} is changed, and nothing above it fits any more.</b>{" "}
            {here && chosen === undefined ? (
              `Every node has this value, although no block wrote it: its hash is the one in header ${count(height + 1)}.`
            ) : (
              <>
                {answer.headerHeight > 0
                  ? `Block ${count(answer.headerHeight)} names another app hash`
                  : "The nodes agree on another app hash"}
                : no honest node accepts this state. It is drawn here alone; nothing of the chain
                has changed.
              </>
            )}
          </p>
          <button type="button" data-primary="" onClick={() => setTampering(null)}>
            Put it back
          </button>
          {tampering && (
            <button
              type="button"
              disabled={watching}
              title={watching ? WATCHED : undefined}
              onClick={() =>
                dialog.setState({
                  name: "fork",
                  tamper: {
                    ...{ height, store, key, place: tampering.index },
                    byte: Number.parseInt(tampering.byte, 16),
                  },
                })
              }
            >
              Play on from it…
            </button>
          )}
        </div>
      )}
      <TamperedValue value={value} tampering={tampering} onTamper={setTampering} />
      <Staircase store={store} hashes={hashes} others={others} proof={answer} />
      <OnDemand title={`What is hashed in each of the ${hashes.length} steps`}>
        {() => <HashedParts store={store} hashes={others ?? hashes} />}
      </OnDemand>
    </section>
  );
}

/** Converts a manual edit to the format of the drawing. */
const tamperingOf = ({ place, is }: Tampered): Tampering => ({
  index: place,
  byte: toHex(Uint8Array.of(is)),
});

interface VerdictProps {
  proof: StoreProof;
  /** The last hash of the proof, as computed here. */
  end: string;
  steps: number;
  /** The manual edit after this block. */
  edit: Tampered | undefined;
}

/** Reports whether the hashes computed here end with the app hash in the header. */
function Verdict({ proof, end, steps, edit }: VerdictProps) {
  const { headerHeight, headerAppHash, appHash, height } = proof;
  const computed = `${count(steps)} hashes, recomputed here`;
  if (headerHeight === 0) {
    return (
      <p className="small" data-testid="proof-verdict">
        {computed}.{" "}
        {end === appHash
          ? `The last equals the app hash of the nodes after block ${count(height)}; header ${count(height + 1)} will carry it.`
          : "The last differs from the app hash of the nodes: the proof is not valid."}
      </p>
    );
  }
  const holds = end === headerAppHash;
  return (
    <p className="small" data-testid="proof-verdict">
      {computed}.{" "}
      {holds ? (
        <b className={css.holds}>✓ The last equals</b>
      ) : (
        <b className={css.not}>≠ The last differs from</b>
      )}{" "}
      the app hash in{" "}
      <a href={hrefTo({ selection: { kind: "block", id: String(headerHeight) } })}>
        header {count(headerHeight)}
      </a>
      .{edit && " The blocks lead to this value; the nodes’ own value was edited by hand."}
    </p>
  );
}
