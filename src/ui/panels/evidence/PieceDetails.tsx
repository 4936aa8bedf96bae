import { useFrameState } from "../../store/page.ts";
import type { BlockStep, EvidenceLine } from "../../store/types.ts";
import { useQuery } from "../../store/use-query.ts";
import { grouped, plural } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import { Picture } from "./Picture.tsx";
import css from "./PieceDetails.module.css";
import { Waterfall } from "./Waterfall.tsx";

interface PieceDetailsProps {
  line: EvidenceLine;
  named: (text: string) => string;
}

/** One piece of evidence: the conflict, the penalty, and every check with its result. */
export function PieceDetails({ line, named }: PieceDetailsProps) {
  // Pending evidence changes.
  const height = useFrameState(({ frame }) => (line.block > 0 ? 0 : frame?.chain?.height));
  const { answer: piece, problem } = useQuery(`${line.id} ${height}`, (lab) =>
    lab.getEvidencePiece({ id: line.id }),
  );
  if (problem) return <p className="soft">{problem}</p>;
  if (!piece) return <p className="soft">Reading…</p>;
  return (
    <div className={css.details}>
      {line.why && <p className="quote">{named(grouped(line.why))}</p>}
      <p className={css.why}>
        <WhyButton
          kind="evidence"
          id={line.id}
          of={`evidence against ${line.validators.join(", ") || "none"}`}
        />
      </p>
      <Picture piece={piece} />
      {piece.slash && (
        <Waterfall
          slash={piece.slash}
          validator={line.validators[0] ?? "the validator"}
          height={line.height}
          block={line.block}
          named={named}
        />
      )}
      {piece.checks.length > 0 && (
        <>
          <h3 className={css.heading}>{plural(piece.checks.length, "check")}, in order</h3>
          <ol className={css.stages}>
            {piece.checks.map((check, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the checks of a piece never change
              <Stage key={i} check={check} named={named} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  refused: "cross",
  ignored: "minus",
  halt: "stop",
};

function Stage({ check, named }: { check: BlockStep; named: (text: string) => string }) {
  return (
    <li className={css.stage} data-outcome={check.outcome}>
      <span className={css.what}>
        <Icon name={ICONS[check.outcome] ?? "info"} size={13} />
        {check.what || check.module}
      </span>
      <span className={css.found}>{named(grouped(check.found))}</span>
    </li>
  );
}
