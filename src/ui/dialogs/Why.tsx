import { createElement, type ReactNode, useEffect, useState } from "react";
import type { LabAnswer } from "../../gen/lab/v1/lab_plain.ts";
import { useActions, useDialog, useFrameState, usePage } from "../store/page.ts";
import { goTo, hrefTo } from "../store/route.ts";
import { travelTo } from "../store/travel.ts";
import type { Reason } from "../store/types.ts";
import type { QueryState } from "../store/use-query.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { count, grouped } from "../widgets/format.ts";
import { Icon, type IconName } from "../widgets/Icon.tsx";
import { Linked, useLinkTargets } from "../widgets/Linked.tsx";
import type { LinkTargets } from "../widgets/linked-parts.ts";
import {
  LEFT_OUT_URL,
  RULES,
  type RulePiece,
  type RuleText,
  type RuleTexts,
  readRules,
} from "../widgets/rule-texts.ts";
import { useNames } from "../widgets/use-names.ts";
import type { Explained } from "../widgets/WhyButton.tsx";
import { useFollowed } from "./use-followed.ts";
import css from "./Why.module.css";

export const TITLES: Readonly<Record<Explained, (id: string) => string>> = {
  block: (id) => `How block ${count(Number(id))} was made`,
  evidence: () => "What became of this evidence, and why",
  proposal: (id) => `What became of proposal ${id}, and why`,
  plan: (id) => `What became of plan ${id}, and why`,
  validator: (id) => `Why ${id} is in its state`,
  tx: () => "What became of this transaction, and why",
};

/**
 * Explains the state of an object: every decision that led to it, in order, each with its block and
 * its rule.
 */
export default function Why() {
  const subject = useDialog((dialog) => dialog.subject);
  const { kind, id } = subjectOf(subject);
  useClosedByLinks();
  const isToCome = useFrameState(
    ({ frame }) => kind === "block" && Number(id) > (frame?.chain?.height ?? 0),
  );
  const title = isToCome ? `Why block ${count(Number(id))} has not come` : TITLES[kind](id);
  return (
    <Dialog title={title} wide>
      <Followed kind={kind} id={id} />
      <WhyFoot />
    </Dialog>
  );
}

/** Parses the subject of an explanation, `kind/id`. */
export function subjectOf(subject: string): { kind: Explained; id: string } {
  const at = subject.indexOf("/");
  return { kind: subject.slice(0, at) as Explained, id: subject.slice(at + 1) };
}

/** Closes the dialog when a link within the page is followed: its target is behind the dialog. */
function useClosedByLinks(): void {
  const { closeDialog } = useActions();
  useEffect(() => {
    addEventListener("hashchange", closeDialog);
    return () => removeEventListener("hashchange", closeDialog);
  }, [closeDialog]);
}

const Outside = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);

/** Links to what all explanations share. */
export const WhyFoot = () => (
  <p className={css.foot}>
    <Outside href={`${RULES}index.html`}>All rules</Outside>
    <Outside href={LEFT_OUT_URL}>What this model leaves out</Outside>
  </p>
);

/** The explanation of a subject in the world on screen, updated as the chain advances. */
function Followed({ kind, id }: { kind: Explained; id: string }) {
  const query = useFollowed(`why ${kind} ${id}`, (lab) => lab.getExplanation({ kind, id }));
  const past = useFrameState(({ travel }) => travel?.height);
  return <Explanation {...query} past={past} isHere />;
}

interface ExplanationProps extends QueryState<LabAnswer<"getExplanation">> {
  /** The height shown by the page, if that is displayed. */
  past?: number | undefined;
  /** True if it belongs to the world on screen, so that its blocks can be linked. */
  isHere?: boolean;
}

/** The outcome of a subject and the decisions that led to it. */
export function Explanation({ answer, problem, past, isHere = false }: ExplanationProps) {
  const named = useNames();
  const rules = useRules();
  if (problem) return <p className="soft">{problem}</p>;
  if (!answer) return <p className="soft">Reading…</p>;
  const { because, reasons, leftOut, forgotten } = answer;
  return (
    <div className={css.why}>
      <p className={css.because} data-testid="because">
        {named(grouped(because))}
        {past !== undefined && <span className="soft"> The page shows block {count(past)}.</span>}
      </p>
      {forgotten > 0 && <Forgotten height={forgotten} isHere={isHere} />}
      {keyed(inBlocks(reasons), sectionName).map(([key, { height, some }]) => (
        <section key={key} aria-label={height > 0 ? `Block ${count(height)}` : "Before any block"}>
          {height > 0 &&
            (isHere ? (
              <BlockHead height={height} />
            ) : (
              <h3 className={css.block}>block {count(height)}</h3>
            ))}
          <ol className={css.reasons}>
            {keyed(some, ({ where, what, found }) => [where, what, found].join("/")).map(
              ([key, reason]) => (
                <Line key={key} reason={reason} named={named} rules={rules} isHere={isHere} />
              ),
            )}
          </ol>
        </section>
      ))}
      {leftOut > 0 && (
        <p className="soft small">{count(leftOut)} more decisions are listed in their blocks.</p>
      )}
    </div>
  );
}

/** Adds to each a unique key, which stays the same when others are inserted before it. */
function keyed<T>(items: readonly T[], nameOf: (item: T) => string) {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const name = nameOf(item);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return [`${name} ${times}`, item] as const;
  });
}

/** Reasons from the current state are grouped with the newest block. */
const sectionName = ({ height, some: [first] }: { height: number; some: readonly Reason[] }) =>
  first?.where === "state" ? "state" : String(height);

/** The reasons block by block, in order. */
function inBlocks(reasons: readonly Reason[]) {
  const blocks: { height: number; some: Reason[] }[] = [];
  for (const reason of reasons) {
    const last = blocks.at(-1);
    if (last?.height === reason.height) last.some.push(reason);
    else blocks.push({ height: reason.height, some: [reason] });
  }
  return blocks;
}

/** A block with links to it and to its events. */
function BlockHead({ height }: { height: number }) {
  const { dialog } = usePage();
  const { closeDialog } = useActions();
  const selection = { kind: "block", id: String(height) } as const;
  return (
    <h3 className={css.block}>
      <a href={hrefTo({ selection })} onClick={closeDialog}>
        block {count(height)}
      </a>
      <button
        type="button"
        data-plain=""
        onClick={() => {
          dialog.setState({ name: undefined, drawer: "event" });
          goTo({ selection });
        }}
      >
        events
        <span className="hidden"> of block {count(height)}</span>
      </button>
    </h3>
  );
}

/** Decisions that are no longer stored are recomputed at their height. */
function Forgotten({ height, isHere }: { height: number; isHere: boolean }) {
  const page = usePage();
  return (
    <p className={css.forgotten}>
      What block {count(height)} decided is not remembered any more.{" "}
      {isHere && (
        <button type="button" onClick={() => travelTo(page, height)}>
          Travel to block {count(height)}
        </button>
      )}
    </p>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  refused: "cross",
  ignored: "minus",
  halt: "stop",
};

interface LineProps {
  reason: Reason;
  named: (text: string) => string;
  rules: RuleTexts | undefined;
  isHere: boolean;
}

const NOTHING_KNOWN: LinkTargets = { nodes: new Set(), evidence: new Set() };

function Line({ reason, named, rules, isHere }: LineProps) {
  const here = useLinkTargets();
  const known = isHere ? here : NOTHING_KNOWN;
  const { what, found, where, module, outcome, rule, reverted } = reason;
  const place = [where, module].filter(Boolean).join(" · ");
  return (
    <li data-outcome={outcome}>
      <Icon name={ICONS[outcome] ?? "info"} size={14} />
      <div>
        <p className={css.decision}>
          <span className="hidden">{outcome}: </span>
          <span className={css.what}>{what}</span>{" "}
          <Linked text={named(grouped(found))} targets={known} />
          {reverted && <span className="soft"> (reverted)</span>}
          {place && <span className={css.place}> {named(place)}</span>}
        </p>
        <Rule rule={rule} text={rules?.[rule]} />
      </div>
    </li>
  );
}

/** A rule by its number and name; its text can be expanded. */
function Rule({ rule, text }: { rule: string; text: RuleText | undefined }) {
  const [open, setOpen] = useState(false);
  if (!text) return <span className={css.rule}>rule {rule}</span>;
  return (
    <details
      className={css.rule}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        rule {rule}: {text.title}
      </summary>
      {open && (
        <div className={css.text}>
          <Pieces pieces={text.pieces} />
          <Outside href={RULES + text.href}>Among the rules</Outside>
        </div>
      )}
    </details>
  );
}

/** The text of a rule as parsed when the page was built. */
function Pieces({ pieces }: { pieces: readonly RulePiece[] }): ReactNode {
  return pieces.map((piece, i) => {
    if (typeof piece === "string") return piece;
    const { tag, href } = piece;
    const inner = <Pieces pieces={piece.pieces} />;
    const link = href && { href: RULES + href, target: "_blank", rel: "noreferrer" };
    return createElement(tag, { key: i, ...link }, inner);
  });
}

/** All rules, once they are loaded; before that only their numbers are shown. */
function useRules(): RuleTexts | undefined {
  const [rules, setRules] = useState<RuleTexts>();
  useEffect(() => {
    readRules().then(setRules, () => {});
  }, []);
  return rules;
}
