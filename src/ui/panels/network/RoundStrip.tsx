import { useEffect } from "react";
import SavePicture from "../../pictures/SavePicture.tsx";
import { followRounds } from "../../store/follow-rounds.ts";
import { haltSentence } from "../../store/halt.ts";
import { useFrameState, usePage, useRound } from "../../store/page.ts";
import { type DrawnRound, STAGE } from "../../store/rounds.ts";
import { isDecided, situationOf } from "../../store/situation.ts";
import type { Round } from "../../store/types.ts";
import { WithHashes } from "../../widgets/Facts.tsx";
import { count, list, percent } from "../../widgets/format.ts";
import css from "./RoundStrip.module.css";

type Vote = Round["votes"][number];

const OUTCOME: Readonly<Record<string, string>> = {
  decided: "block decided",
  "no-proposal": "no proposal came",
  "proposal-refused": "proposal refused",
  "prevotes-split": "prevotes split",
  "too-few-votes": "too few votes",
};
const GOING_ON = ["waiting for prevotes", "waiting for precommits", "counting"] as const;

/** Blocks per second above which a height beside its votes cannot be read. */
const TOO_FAST_TO_READ = 4;
const NAMED_UP_TO = 3;
/** In the order of a bar: the length of the first ones shows their share of the power. */
const LOOKS = ["yes", "nil", "no"] as const;
/** Maximum number of votes with separate segments. */
const PIECES_UP_TO = 50;

/**
 * The newest round, step by step if there is time: its proposer, the votes, its outcome and the
 * reason.
 */
export default function RoundStrip() {
  const { client, frames, rounds } = usePage();
  useEffect(() => followRounds(client, frames, rounds), [client, frames, rounds]);
  const drawn = useRound((state) => state.drawn);
  const calm = useFrameState(({ frame }) => (frame?.player?.rate ?? 0) <= TOO_FAST_TO_READ);
  const stuck = useStuck();
  if (drawn === undefined) return null;
  const { height, round, stage } = drawn;
  const decided = round.outcome === "decided";
  if (stuck && decided && height === stuck.height) {
    return (
      <section className={css.strip} data-part="round" aria-label="The newest round">
        <p className={css.head}>
          <b className={css.bad}>{stuck.sentence}</b>
        </p>
        <dl className={css.stages}>
          <Bar name="precommit" of={round} filled={({ precommit }) => precommit === "block"} />
          <Bar name="applied" of={round} filled={({ node }) => stuck.applied.includes(node)} />
        </dl>
        <SavePicture title="The newest round" at="above" />
      </section>
    );
  }
  const proposes = round.votes.some(
    ({ node, prevote }) => node === round.proposer && prevote !== "none",
  );
  return (
    <section className={css.strip} data-part="round" aria-label="The newest round">
      <p className={css.head}>
        <span>
          {titleOf(drawn, calm)}: <b>{round.proposer}</b>{" "}
          {proposes && round.outcome !== "no-proposal" ? "proposes" : "should propose"}
        </span>
        {stage === STAGE.outcome ? (
          <span className={decided ? css.good : css.bad}>
            {OUTCOME[round.outcome] ?? round.outcome}
            {!decided && ` · round ${count(round.round + 1)} follows`}
          </span>
        ) : (
          <span>{GOING_ON[stage]}</span>
        )}
      </p>
      <dl className={css.stages}>
        <Bar
          name="prevote"
          of={round}
          filled={({ prevote }) => prevote === "block"}
          nil={({ prevote }) => prevote === "nil"}
          isShown={stage >= STAGE.prevotes}
        />
        <Bar
          name="precommit"
          of={round}
          filled={({ precommit }) => precommit === "block"}
          nil={({ precommit }) => precommit === "nil"}
          isShown={stage >= STAGE.precommits}
        />
      </dl>
      {stage === STAGE.outcome && <Silent votes={round.votes} />}
      <Waits {...drawn} />
      <SavePicture title="The newest round" at="above" />
    </section>
  );
}

/** Describes the committed block; if there is none yet, the newest failed round. */
function titleOf({ height, round: { round, outcome } }: DrawnRound, calm: boolean): string {
  if (!calm) return `Round ${round}`;
  if (outcome !== "decided") return `Block ${count(height)}, round ${round}`;
  const later = round > 0 ? `, in round ${round}` : "";
  return `How block ${count(height)} was decided${later}`;
}

interface BarProps {
  name: string;
  of: Round;
  /** Returns true if the validator's segment is filled. */
  filled: (vote: Vote) => boolean;
  /** Returns true if the validator voted nil. */
  nil?: (vote: Vote) => boolean;
  /** True once these votes are shown. */
  isShown?: boolean;
}

/** The decided block that the halted nodes cannot apply; undefined if there is none. */
function useStuck() {
  const sentence = useFrameState(({ frame }) =>
    frame?.chainStatus?.state === "halted" && isDecided(frame) ? haltSentence(frame) : undefined,
  );
  const height = useFrameState(({ frame }) => frame?.chain?.decidedHeight ?? 0);
  const nodes = useFrameState(({ frame }) => frame?.nodes);
  if (sentence === undefined) return undefined;
  const applied = nodes?.filter((node) => node.height >= height).map((node) => node.validator);
  return { sentence, height, applied: applied ?? [] };
}

/**
 * A segment for each validator, those that have voted first, with the threshold that they must
 * exceed.
 */
function Bar({
  name,
  of: { votes, neededPower },
  filled,
  nil = () => false,
  isShown = true,
}: BarProps) {
  const total = votes.reduce((sum, { power }) => sum + power, 0);
  const sum = (has: (vote: Vote) => boolean): number =>
    votes.reduce((sum, vote) => sum + (has(vote) ? vote.power : 0), 0);
  const [power, none] = [sum(filled), sum(nil)];
  const looks = Map.groupBy(votes, (vote) =>
    isShown && filled(vote) ? "yes" : isShown && nil(vote) ? "nil" : "no",
  );
  const text = power > 0 || none === 0 ? percent(power, total) : `nil ${percent(none, total)}`;
  return (
    <>
      <dt>{name}</dt>
      <dd className={css.stage}>
        <span className={css.bar} data-bar="" aria-hidden="true">
          {LOOKS.flatMap((look) =>
            piecesOf(looks.get(look) ?? [], votes.length).map(({ node, power }) => (
              <span key={node} className={css[look]} style={{ flexGrow: power }} />
            )),
          )}
          <span
            className={css.needed}
            style={{ left: `${(neededPower / Math.max(1, total)) * 100}%` }}
          />
        </span>
        <span>{isShown ? text : "…"}</span>
      </dd>
    </>
  );
}

/**
 * The segments of votes that look alike; above a number of votes a single one, since each would be
 * narrower than a gap.
 */
function piecesOf(alike: readonly Vote[], ofAll: number): readonly Pick<Vote, "node" | "power">[] {
  const [first] = alike;
  if (first === undefined || ofAll <= PIECES_UP_TO) return alike;
  return [{ node: first.node, power: alike.reduce((sum, { power }) => sum + power, 0) }];
}

/** Validators outside the majority, and why; in a halt or a split the band explains it instead. */
function Silent({ votes }: { votes: readonly Vote[] }) {
  const known = useFrameState(({ frame }) => {
    const situation = frame && situationOf(frame);
    return situation === "halted" || situation === "split";
  });
  const reasons = new Map<string, string[]>();
  for (const { node, why } of votes)
    if (why !== "") reasons.set(why, [...(reasons.get(why) ?? []), node]);
  if (known || reasons.size === 0) return null;
  return (
    <ul className={css.silent}>
      {[...reasons].slice(0, NAMED_UP_TO).map(([why, nodes]) => (
        <li key={why}>
          <b>
            {nodes.length > NAMED_UP_TO
              ? `${nodes.slice(0, NAMED_UP_TO).join(", ")} and ${nodes.length - NAMED_UP_TO} more`
              : list(nodes)}
          </b>{" "}
          <WithHashes text={why} />
        </li>
      ))}
    </ul>
  );
}

/** Each failed round has a longer timeout than the previous one. */
function Waits({ waited, round }: DrawnRound) {
  if (waited.length < 2) return null;
  const longest = Math.max(...waited.map(({ seconds }) => seconds));
  const seconds = waited.map(({ seconds }) => `${seconds} s`);
  return (
    <p className={css.waits}>
      <span>rounds took</span>
      <span className={css.growing} aria-hidden="true">
        {waited.map((one) => (
          <span
            key={one.round}
            data-now={one.round === round.round || undefined}
            style={{ height: `${Math.max(12, (one.seconds / longest) * 100)}%` }}
          />
        ))}
      </span>
      <span>{seconds.slice(-4).join(" → ")}</span>
    </p>
  );
}
