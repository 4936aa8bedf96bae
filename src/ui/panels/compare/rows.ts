/** Differences at a height, as rows of a table. */
import type { WorldComparison } from "../../store/types.ts";
import type { Explained } from "../../widgets/WhyButton.tsx";

export interface Row {
  /** Subject, such as `validator val-2`. */
  readonly about: string;
  readonly what: string;
  readonly a: string;
  readonly b: string;
  /** Subject of the explanations on both sides, in the first row of each subject. */
  readonly why?: { readonly kind: Explained; readonly id: string };
}

interface Table {
  readonly rows: readonly Row[];
  /** Derived rows: hashes, and values that change with every block. */
  readonly folded: readonly Row[];
  /** Fields without differences. */
  readonly same: readonly string[];
}

/** Fields that differ after any earlier difference. */
const FOLLOWING = ["block_hash", "app_hash", "validators_hash", "time", "missed_blocks"];

const words = (name: string): string => name.replaceAll("_", " ");

const cell = (value: string, isThere = true): string =>
  !isThere ? "not there" : value === "" ? "none" : value;

const EXPLAINED: readonly Explained[] = ["validator", "proposal", "tx"];

function whyOf(kind: string, id: string, isFirst = true): Pick<Row, "why"> {
  const explained = EXPLAINED.find((one) => one === kind);
  return explained && isFirst ? { why: { kind: explained, id } } : {};
}

export function compareTable({ blocks, things }: WorldComparison): Table {
  const fields = (blocks?.fields ?? []).map(({ name, a, b }) => ({
    follows: FOLLOWING.includes(name),
    row: { about: "block and chain", what: words(name), a: cell(a), b: cell(b) },
  }));
  const ofThings = things.flatMap(({ kind, name, fields: some, onlyA, onlyB }) =>
    onlyA || onlyB
      ? [
          {
            follows: false,
            row: {
              ...whyOf(kind, name),
              about: `${kind} ${name}`,
              what: "",
              a: onlyA ? "there" : "not there",
              b: onlyB ? "there" : "not there",
            },
          },
        ]
      : some.map((field, i) => ({
          follows: FOLLOWING.includes(field.name),
          row: {
            ...whyOf(kind, name, i === 0),
            about: `${kind} ${name}`,
            what: words(field.name),
            a: cell(field.a),
            b: cell(field.b),
          },
        })),
  );
  const txs = (blocks?.txs ?? []).map(({ hash, messages, signer, a, b }) => ({
    follows: false,
    row: {
      ...whyOf("tx", hash),
      about: "transaction",
      what: `${messages.join(", ")} of ${signer}`,
      a: cell(a, a !== ""),
      b: cell(b, b !== ""),
    },
  }));
  const differing = [...ofThings, ...txs, ...fields].filter(({ row }) => row.a !== row.b);
  return {
    rows: differing.filter(({ follows }) => !follows).map(({ row }) => row),
    folded: differing.filter(({ follows }) => follows).map(({ row }) => row),
    same: fields.filter(({ row }) => row.a === row.b).map(({ row }) => row.what),
  };
}
