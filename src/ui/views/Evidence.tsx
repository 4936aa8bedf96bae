import { useEffect, useState } from "react";
import { playingStory } from "../panels/band/playing-story.ts";
import { matches, OUTCOMES, outcomeOf, titleOf } from "../panels/evidence/evidence-words.ts";
import { PieceDetails } from "../panels/evidence/PieceDetails.tsx";
import { useActions, useFrameState } from "../store/page.ts";
import { hrefTo, useRoute } from "../store/route.ts";
import type { EvidenceLine, EvidenceView } from "../store/types.ts";
import { useQuery } from "../store/use-query.ts";
import { ControlButton } from "../widgets/ControlButton.tsx";
import { amount, count, plural, short } from "../widgets/format.ts";
import { Icon } from "../widgets/Icon.tsx";
import { useNames } from "../widgets/use-names.ts";
import css from "./Evidence.module.css";

/** Minimum number of pieces for search. */
const MANY = 5;

/** The Evidence view: the outcome of each piece of evidence, and the stored evidence. */
export default function Evidence() {
  const { openDialog } = useActions();
  const { selection } = useRoute();
  const news = useFrameState(({ frame }) => `${frame?.evidenceDecided} ${frame?.evidenceWaiting}`);
  const { answer, problem } = useQuery(`evidence ${news}`, (lab) => lab.getEvidence({}));
  return (
    <div className={css.evidence}>
      <section className="card" data-part="evidence" aria-labelledby="pipeline">
        <header className={css.head}>
          <h2 id="pipeline">Evidence, and what the chain did with it</h2>
          <ControlButton
            data-primary=""
            onClick={() =>
              openDialog("double-sign", selection?.kind === "node" ? selection.id : "")
            }
          >
            Double sign… <kbd>D</kbd>
          </ControlButton>
        </header>
        {problem && <p className="soft">{problem}</p>}
        {answer?.lines.length === 0 && <NoPieces />}
        {answer && answer.lines.length > 0 && <Pieces lines={answer.lines} />}
      </section>
      <Stored />
    </div>
  );
}

function NoPieces() {
  const imported = useFrameState(({ frame }) => (frame?.evidence.length ?? 0) > 0);
  return imported ? (
    <p className="soft">
      No block of this chain has decided about evidence yet. What is stored came with its genesis.
    </p>
  ) : (
    <p className="soft">
      No evidence has reached this chain yet. Let a validator double sign, and both votes appear
      here, with every check and what it found: also for evidence that is ignored.
    </p>
  );
}

/**
 * The pieces with their outcomes: collapsed, except a selected or single one, or in a story the
 * newest, preferably a punished one.
 */
function Pieces({ lines }: { lines: readonly EvidenceLine[] }) {
  const { selection } = useRoute();
  const named = useNames();
  const [wanted, setWanted] = useState("");
  const [outcome, setOutcome] = useState("");
  const found = lines.filter(
    (line) => (outcome === "" || line.outcome === outcome) && matches(line, wanted),
  );
  const chosen = selection?.kind === "evidence" ? selection.id : "";
  const isChosen = ({ hash }: EvidenceLine): boolean => hash !== "" && hash === chosen;
  const playing = useFrameState(({ frame }) => playingStory(frame?.story) !== undefined);
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  // Evidence of the newest block comes before pending evidence; within the block, punished evidence
  // first.
  const carried = lines.filter(({ block }) => block === height);
  const punished = carried.find(({ outcome }) => outcome === "punished");
  const newest = (punished ?? carried[0] ?? lines[0])?.id;
  const shown = playing && !lines.some(isChosen) ? newest : undefined;
  return (
    <>
      {lines.length >= MANY && (
        <div className={css.find}>
          <label>
            <span className="hidden">Find evidence</span>
            <input
              type="search"
              placeholder="Find: a validator, a height, a hash, a reason"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          </label>
          <label>
            <span className="hidden">Outcome</span>
            <select value={outcome} onChange={(event) => setOutcome(event.target.value)}>
              <option value="">all {plural(lines.length, "piece")}</option>
              {Object.entries(OUTCOMES)
                .map(([name, { label }]) => ({ name, label, of: ofOutcome(lines, name) }))
                .filter(({ of }) => of > 0)
                .map(({ name, label, of }) => (
                  <option key={name} value={name}>
                    {label}: {count(of)}
                  </option>
                ))}
            </select>
          </label>
        </div>
      )}
      <ol>
        {found.map((line) => (
          <li key={line.id} className={css.piece}>
            <Piece
              line={line}
              named={named}
              opened={found.length === 1 || isChosen(line) || line.id === shown}
              folds={playing}
              isAmongOthers={found.length > 1}
            />
          </li>
        ))}
      </ol>
      {found.length === 0 && (
        <p className="soft">None of {plural(lines.length, "piece")} is like that.</p>
      )}
    </>
  );
}

const ofOutcome = (lines: readonly EvidenceLine[], outcome: string): number =>
  lines.filter((line) => line.outcome === outcome).length;

/** Shown in place of the block of a pending piece. */
const WHEN: Readonly<Record<string, string>> = { waiting: "next block" };

interface PieceProps {
  line: EvidenceLine;
  named: (text: string) => string;
  opened: boolean;
  /** True if it closes when another one opens in its place. */
  folds: boolean;
  /** True if a running story has to scroll to it. */
  isAmongOthers: boolean;
}

function Piece({ line, named, opened, folds, isAmongOthers }: PieceProps) {
  const [open, setOpen] = useState(opened);
  const { icon, label, tone } = outcomeOf(line);
  useEffect(() => {
    if (opened || folds) setOpen(opened);
  }, [opened, folds]);
  return (
    <details
      open={open}
      data-chosen={(opened && isAmongOthers) || undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="down" size={14} />
        <span className={css.outcome} data-tone={tone}>
          <Icon name={icon} size={14} />
          {label}
        </span>
        <span className={css.title}>
          {titleOf(line)} <span className={css.kind}>{line.kind}</span>
        </span>
        <span className={css.burned}>{line.burned !== "0" && `${amount(line.burned)} burned`}</span>
        <span className={css.block}>
          {line.block > 0 ? `block ${count(line.block)}` : WHEN[line.outcome]}
        </span>
      </summary>
      {open && <PieceDetails line={line} named={named} />}
    </details>
  );
}

const NONE: readonly EvidenceView[] = [];

function Stored() {
  const evidence = useFrameState(({ frame }) => frame?.evidence ?? NONE);
  return (
    <section className="card" aria-labelledby="stored">
      <h2 id="stored">Stored evidence</h2>
      {evidence.length === 0 ? (
        <p className="soft">The store is empty.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={css.scroll} tabIndex={0} aria-label="Every piece stored">
          <table>
            <thead>
              <tr>
                <th>Hash</th>
                <th>Type</th>
                <th>Validator</th>
                <th className="number">Offence at</th>
                <th className="number">Power</th>
              </tr>
            </thead>
            <tbody>
              {evidence.map((each) => (
                <tr key={each.hash}>
                  <td>
                    <a
                      className={css.hash}
                      href={hrefTo({ selection: { kind: "evidence", id: each.hash } })}
                    >
                      {short(each.hash)}
                    </a>
                  </td>
                  <td>{each.type}</td>
                  <td>{each.validator}</td>
                  <td className="number">{count(each.height)}</td>
                  <td className="number">{each.power}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
