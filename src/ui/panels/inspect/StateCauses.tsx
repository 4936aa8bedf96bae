import type { ReactNode } from "react";
import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { Validator, ValidatorStateView } from "../../store/types.ts";
import { useQuery } from "../../store/use-query.ts";
import { Fact, Facts } from "../../widgets/Facts.tsx";
import { amount, count, dateTime, plural } from "../../widgets/format.ts";
import css from "./inspect.module.css";

/** Explains why a validator is not just bonded: each of its states with cause, meaning and end. */
export function StateCauses({ validator }: { validator: Validator }) {
  const { name, jailed, tombstoned, bond, burned, power } = validator;
  // The end can move with every block, and changes once its height is reached.
  const known = `${name} ${jailed} ${tombstoned} ${bond} ${burned}`;
  const height = useFrameState(({ frame }) =>
    jailed && !tombstoned ? Math.floor((frame?.chain?.height ?? 0) / 10) : 0,
  );
  const { answer } = useQuery(`${known} ${height}`, (lab) =>
    lab.getValidatorStates({ validator: name }),
  );
  const votesOn = useFrameState(({ frame }) => (power > 0 ? (frame?.chain?.height ?? 0) + 1 : 0));
  return answer?.states.map((view) => (
    <Cause
      key={view.state}
      view={view}
      tombstoned={tombstoned}
      means={meaning(view.state, validator, votesOn)}
    />
  ));
}

interface CauseProps {
  view: ValidatorStateView;
  tombstoned: boolean;
  means: string | undefined;
}

function Cause({ view, tombstoned, means }: CauseProps) {
  const { state, burned } = view;
  return (
    <section className={css.group} aria-label={`Why it is ${state}`}>
      <h3>{state}</h3>
      <Facts>
        <Fact name="because">{because(view)}</Fact>
        {burned !== "0" && <Fact name="cost">{amount(burned)} burned</Fact>}
        <Fact name="means">{means}</Fact>
        <Fact name="ends">{ends(view, tombstoned)}</Fact>
      </Facts>
    </section>
  );
}

/**
 * Returns the meaning of a state now: in the block that changed it, the next block's validator set
 * is still the older one.
 */
function meaning(state: string, { power, nextPower }: Validator, next: number): string | undefined {
  if (state === "tombstoned" && nextPower > 0) return VOTES_AGAIN;
  const means = MEANINGS[state];
  return power > 0 && (state === "tombstoned" || state === "jailed")
    ? `it still votes on block ${count(next)}: set changes take effect two blocks later; then ${means}`
    : means;
}

/** A validator that was created again with a tombstoned key can vote. */
const VOTES_AGAIN =
  "a new validator was created with this key and votes: these rules do not check for the tombstone, and do not slash it again";

const MEANINGS: Readonly<Record<string, string>> = {
  tombstoned: "this key never validates again",
  jailed: "it neither proposes nor votes",
  unbonding: "its stake is locked, and can still be slashed for what it did before",
  unbonded: "it does not vote; its stake is free",
  removed: "it is no longer in the chain’s state",
};

const Block = ({ height }: { height: number }) => (
  <a href={hrefTo({ selection: { kind: "block", id: String(height) } })}>block {count(height)}</a>
);

function because(view: ValidatorStateView): ReactNode {
  const { state, cause, block, height, evidence, missed, window, allowed, maxValidators } = view;
  const where = block > 0 && (
    <>
      {": "}
      <Block height={block} />
    </>
  );
  switch (state) {
    case "tombstoned":
      return (
        <>
          {height > 0 ? OFFENCES[cause] || "of evidence against it" : "of evidence against it"}
          {height > 0 && (
            <>
              {" at "}
              <Block height={height} />
            </>
          )}
          {evidence && (
            <>
              {", "}
              <a href={hrefTo({ view: "evidence", selection: { kind: "evidence", id: evidence } })}>
                the evidence
              </a>
            </>
          )}
          {block > 0 && (
            <>
              {" in "}
              <Block height={block} />
            </>
          )}
        </>
      );
    case "jailed":
      return cause === "downtime" ? (
        <>
          it missed {count(missed)} of the last {plural(window, "block")}; {count(allowed)} may be
          missed{where}
        </>
      ) : (
        <>its operator’s own stake fell below its minimum{where}</>
      );
    case "unbonding":
      return (
        <>
          {cause === "jailed"
            ? "it was jailed"
            : `only the ${plural(maxValidators, "strongest validator")} can be in the set`}
          {where}
        </>
      );
    case "unbonded":
      return cause === "new"
        ? `it has never been among the ${count(maxValidators)} strongest`
        : `its unbonding ended at ${dateTime(view.until)}`;
    default:
      return "all its stake has been withdrawn";
  }
}

/** Offence of a validator, by the kind of evidence. */
const OFFENCES: Readonly<Record<string, string>> = {
  "duplicate vote": "it signed twice",
  "double sign": "it signed twice",
  lunatic: "it attacked a light client",
  equivocation: "it attacked a light client",
  "light client attack": "it attacked a light client",
  counterfactual: "it signed for another chain",
};

function ends(
  { state, cause, until, untilHeight, over }: ValidatorStateView,
  tombstoned: boolean,
): string {
  const when = until && `${dateTime(until)}, about block ${count(untilHeight)}`;
  switch (state) {
    case "tombstoned":
      return "never for this key; the operator can create a new validator with a new key";
    case "jailed":
      if (cause !== "downtime") return "when its operator has enough at stake again and unjails it";
      return over
        ? `when its operator unjails it: possible since ${dateTime(until)}`
        : `when its operator unjails it, from ${when} on`;
    case "unbonding":
      return tombstoned ? when : `${when}, unless it rejoins before`;
    case "unbonded":
      if (tombstoned) return "never: its key is tombstoned";
      return "when it is not jailed, and strong enough";
    default:
      return "never; a new validator can be created";
  }
}
