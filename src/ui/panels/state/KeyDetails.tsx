import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { StoreEntry } from "../../store/types.ts";
import { Fact, Facts, LongId } from "../../widgets/Facts.tsx";
import { count, grouped } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { useStateAnswer } from "./ask-state.ts";
import { fieldsOf } from "./entry-text.ts";
import css from "./KeyDetails.module.css";
import { KeyHistory } from "./KeyHistory.tsx";
import { shortKey } from "./KeyList.tsx";
import { ProofCard } from "./ProofCard.tsx";
import { useStoreProof } from "./use-store-proof.ts";

interface KeyDetailsProps {
  store: string;
  of: string;
  height: number;
}

/** The value of a key, its changes, and its proof. */
export function KeyDetails({ store, of: key, height }: KeyDetailsProps) {
  const { answer, problem } = useStateAnswer<StoreEntry>(
    key === ""
      ? undefined
      : {
          about: `entry ${store} ${key}`,
          height,
          query: (lab) => lab.getStoreEntry({ store, key }),
        },
  );
  const proof = useStoreProof(store, key, height);
  const named = useNames();
  if (key === "") {
    return (
      <section className={`card ${css.details} soft`} aria-label="Key">
        Select a key to see its value, its history and its proof.
      </section>
    );
  }
  const absent = problem === "" ? undefined : proof.answer?.absent;
  const name = named(absent?.name || answer?.name || "") || `key ${shortKey(key)}`;
  return (
    <>
      <section className={`card ${css.details}`} aria-label="Key">
        <header className={css.head}>
          <h2>{name}</h2>
          <LongId id={key} name="the key" />
        </header>
        {problem && (
          <p className="soft">
            {absent
              ? `It is not there: store ${store} has no such key after block ${count(height)}, and here is the proof.`
              : `${problem}.`}
          </p>
        )}
        <KeyHistory store={store} of={key} height={height} />
        {answer && <Value entry={answer} height={height} />}
      </section>
      {(answer || absent) && (
        <ProofCard store={store} of={key} name={name} height={height} proof={proof} />
      )}
    </>
  );
}

/** A value by its fields, or as text, or in hex if its format is unknown. */
function Value({ entry, height }: { entry: StoreEntry; height: number }) {
  const named = useNames();
  const first = useFrameState(({ frame }) => frame?.chain?.initialHeight ?? 1);
  const { text, value, written: source } = entry;
  const fields = fieldsOf(text);
  return (
    <div>
      <h3>Value</h3>
      <Facts>
        {fields.map(({ name, value: shown }) => (
          <Fact key={name} name={name || "value"}>
            {grouped(named(shown))}
          </Fact>
        ))}
        {fields.length === 0 && (
          <Fact name="value">{value === "" ? "nothing" : <code>{value}</code>}</Fact>
        )}
        <Fact name="written">
          {source === first ? "in the genesis or " : "in "}
          <a href={hrefTo({ selection: { kind: "block", id: String(source) } })}>
            block {count(Math.min(source, height))}
          </a>
        </Fact>
      </Facts>
    </div>
  );
}
