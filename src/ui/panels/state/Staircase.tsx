import type { CSSProperties } from "react";
import { Pictured } from "../../pictures/Pictured.tsx";
import type { StoreProof } from "../../store/types.ts";
import { count, plural } from "../../widgets/format.ts";
import type { ProofHash } from "./check-proof.ts";
import css from "./Staircase.module.css";

interface StaircaseProps {
  store: string;
  hashes: readonly ProofHash[];
  /** The same hashes after a change of the value. */
  others?: readonly ProofHash[] | undefined;
  proof: StoreProof;
}

/**
 * The hashes from a key up to the app hash, each computed from the previous one and its neighbour.
 */
export const Staircase = (flight: StaircaseProps) => (
  <Pictured title={`Proof of a key of ${flight.store}`}>
    <section
      className={css.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label="Hashes from the key up to the app hash"
    >
      <Flight {...flight} />
    </section>
  </Pictured>
);

interface FlightProps extends StaircaseProps {
  /** Label of the first hash, if that is not the requested key. */
  first?: string;
  /** True if it ends where another one continues, not at the app hash. */
  joins?: boolean;
  /** Drawn from right to left. */
  mirrored?: boolean;
}

/** Hashes as steps of a stair. */
export function Flight({ store, hashes, others, proof, first, joins, mirrored }: FlightProps) {
  const last = joins ? -1 : hashes.length - 1;
  return (
    <ol
      className={css.stairs}
      data-mirrored={mirrored || undefined}
      style={{ "--steps": hashes.length } as CSSProperties}
    >
      {hashes.map((step, i) => {
        const other = others?.[i]?.hash;
        const differs = other !== undefined && other !== step.hash;
        return (
          <li
            key={step.hash}
            style={{ "--step": i } as CSSProperties}
            data-end={i === last || undefined}
            data-differs={differs || undefined}
          >
            <b className={css.label}>
              {(i === 0 && first) || labelOf(step, store, i === last, hashes[i + 1])}
            </b>
            <span className={css.box}>
              <code title={step.hash}>{shortHash(step.hash)}</code>
              {differs && (
                <code className={css.other} title={other}>
                  <span aria-hidden="true">≠</span>
                  <span className="hidden">does not fit: </span> {shortHash(other)}
                </code>
              )}
            </span>
            <span className={css.below}>
              {step.neighbour && (
                <code className={css.neighbour} title={step.neighbour}>
                  + {shortHash(step.neighbour)}
                </code>
              )}
              {i === last && proof.headerHeight > 0 && (
                <span className={css.says}>
                  block {count(proof.headerHeight)} says
                  <code title={proof.headerAppHash}>{shortHash(proof.headerAppHash)}</code>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function labelOf(
  { of, leaf, covers }: ProofHash,
  store: string,
  last: boolean,
  next: ProofHash | undefined,
): string {
  if (last) return "app hash";
  if (of === "tree" && next?.of === "stores") return `${store}, ${plural(covers, "key")}`;
  if (of === "tree") return leaf ? "the key" : plural(covers, "key");
  return leaf ? `${store} as a store` : plural(covers, "store");
}

const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

/** The parts that are hashed in each step, and the resulting hash. */
export function HashedParts({ store, hashes }: { store: string; hashes: readonly ProofHash[] }) {
  return (
    <ol className={css.steps}>
      {hashes.map((step, i) => (
        <li key={step.hash}>
          <b>{labelOf(step, store, i === hashes.length - 1, hashes[i + 1])}</b>
          <p className={css.parts}>
            <span>SHA-256 of</span>
            {step.parts.map(({ name, hex }, place) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
                key={place}
                className={css.part}
              >
                <span className="soft">{name}</span>
                <code>{hex}</code>
              </span>
            ))}
          </p>
          <p>
            is <code>{step.hash}</code>
          </p>
        </li>
      ))}
    </ol>
  );
}
