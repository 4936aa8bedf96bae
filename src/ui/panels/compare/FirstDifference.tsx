import { useEffect, useRef, useState } from "react";
import { usePage } from "../../store/page.ts";
import type { WorldComparison } from "../../store/types.ts";
import { count, plural } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import css from "./compare.module.css";
import type { Other } from "./other.ts";
import { SidesHead } from "./SidesHead.tsx";
import { WhyBothButton } from "./WhyBothButton.tsx";

interface FirstDifferenceProps {
  answer: WorldComparison;
  other: Other;
  height: number;
  onGo: (height: number) => void;
}

/** Controls that accept typed letters. */
const TYPED = "input:not([type=range]), textarea, select, [contenteditable]";

/** Searches for the next difference, by button and by key. */
function useSearch({ other, height, onGo }: FirstDifferenceProps, isOne: boolean) {
  const { client } = usePage();
  /** Result of a search. `at` is the only height that shows it; undefined if the text names one. */
  const [found, setFound] = useState<{ text: string; at?: number }>({ text: "" });
  const [busy, setBusy] = useState(false);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  const search = async (backwards: boolean): Promise<void> => {
    if (busy || isOne) return;
    setBusy(true);
    setFound({ text: "Searching…" });
    try {
      for (let from = height; ; ) {
        const side = { height: 0 };
        const answered = await client.lab.findDifference({
          a: { world: "", ...side },
          b: { ...other, ...side },
          from,
          backwards,
        });
        // Drop the result if another pair, or none, is compared by now.
        if (left.current) return;
        from = answered.searched;
        if (answered.height > 0) {
          const text = `Block ${count(answered.height)}: ${answered.sentence}`;
          setFound({ text, at: answered.height });
          onGo(answered.height);
          break;
        }
        if (answered.over) {
          const where = backwards ? "before" : "after";
          setFound({ text: `No block ${where} ${count(height)} differs in more than hashes.` });
          break;
        }
        setFound({ text: `Searching… up to block ${count(from)} nothing.` });
      }
    } catch (error) {
      setFound({ text: (error as Error).message });
    }
    setBusy(false);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element).closest?.(`${TYPED}, [role=dialog]`)) return;
      if (event.key === "n") void search(false);
      else if (event.key === "N") void search(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return { found, busy, search };
}

/** The first difference, in a sentence, with links to the next ones. */
export function FirstDifference(props: FirstDifferenceProps) {
  const { answer, other, height, onGo } = props;
  const { first, a, b, genesis } = answer;
  const isOne = a?.world === b?.world && other.world === "" && other.scenario === undefined;
  const { found, busy, search } = useSearch(props, isOne);
  if (isOne) return null;
  return (
    <section className={`card ${css.first}`} aria-label="First difference">
      <div>
        <h2>
          {first === undefined ? (
            "No difference: every block and every state is the same."
          ) : (
            <Difference first={first} begins={a?.initialHeight ?? 1} />
          )}
        </h2>
        <p className="soft" role="status">
          {(found.at === undefined || found.at === height) && found.text}
        </p>
        {genesis.length > 0 && <GenesisFields genesis={genesis} />}
      </div>
      <div className={css.buttons}>
        {first !== undefined && first.height !== height && (
          <button type="button" onClick={() => onGo(first.height)}>
            Go to block {count(first.height)}
          </button>
        )}
        {first?.kind === "block" && (
          <WhyBothButton
            kind="block"
            id={`${first.height}`}
            of={`block ${count(first.height)}`}
            sides={{
              a: { request: { world: "", height: first.height }, name: a?.name ?? "" },
              b: { request: { ...other, height: first.height }, name: b?.name ?? "" },
            }}
          />
        )}
        <button type="button" data-plain="" onClick={() => void search(true)}>
          Difference before <kbd>Shift N</kbd>
        </button>
        <button type="button" aria-busy={busy || undefined} onClick={() => void search(false)}>
          Next difference <kbd>N</kbd>
        </button>
      </div>
    </section>
  );
}

interface DifferenceProps {
  first: NonNullable<WorldComparison["first"]>;
  /** Initial height of A. */
  begins: number;
}

function Difference({ first, begins }: DifferenceProps) {
  return (
    <>
      <span className={css.unequal} aria-hidden="true">
        ≠
      </span>{" "}
      {first.kind === "genesis"
        ? "First difference: how they begin."
        : first.kind === "length"
          ? "One is longer."
          : `First difference: block ${count(first.height)}.`}{" "}
      <span className={css.sentence}>{first.sentence}</span>
      {first.kind !== "length" && first.commonHeight >= begins && (
        <span className="soft">
          {" "}
          {count(begins)} to {count(first.commonHeight)} are the same.
        </span>
      )}
    </>
  );
}

/** The fields of the initial state that differ. */
function GenesisFields({ genesis }: Pick<WorldComparison, "genesis">) {
  return (
    <OnDemand
      title={`${plural(genesis.length, "genesis value")} ${genesis.length === 1 ? "differs" : "differ"}`}
    >
      {() => (
        <table className={css.table}>
          <SidesHead columns={["Where"]} />
          <tbody>
            {genesis.map((field) => (
              <tr key={field.name}>
                <td>{field.name}</td>
                <td>{field.a || "none"}</td>
                <td>{field.b || "none"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </OnDemand>
  );
}
