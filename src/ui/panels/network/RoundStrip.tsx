import { useEffect } from "react";
import { useFrameState, usePage, useRound } from "../../store/page.ts";
import { type DrawnRound, followRounds, STAGE } from "../../store/rounds.ts";
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

/** From so many blocks a second on, no height can be read beside its votes. */
const TOO_FAST_TO_READ = 4;
const NAMED_UP_TO = 3;

/** The newest round, step by step where there is time: who proposes, the votes, what came of it and why. */
export default function RoundStrip() {
  const { client, frames, rounds } = usePage();
  useEffect(() => followRounds(client, frames, rounds), [client, frames, rounds]);
  const drawn = useRound((state) => state.drawn);
  const calm = useFrameState(({ frame }) => (frame?.player?.rate ?? 0) <= TOO_FAST_TO_READ);
  if (drawn === undefined) return null;
  const { height, round, stage } = drawn;
  const decided = round.outcome === "decided";
  const proposes = round.votes.some(
    ({ node, prevote }) => node === round.proposer && prevote !== "none",
  );
  return (
    <section className={css.strip} aria-label="The newest round">
      <p className={css.head}>
        <span>
          {calm ? `Height ${count(height)}, round ${round.round}` : `Round ${round.round}`}:{" "}
          <b>{round.proposer}</b>{" "}
          {proposes && round.outcome !== "no-proposal" ? "proposes" : "should propose"}
        </span>
        {stage === STAGE.outcome ? (
          <span className={decided ? css.good : css.bad}>
            {OUTCOME[round.outcome] ?? round.outcome}
          </span>
        ) : (
          <span>{GOING_ON[stage]}</span>
        )}
      </p>
      <dl className={css.stages}>
        <Bar name="prevote" of={round} come={stage >= STAGE.prevotes} />
        <Bar name="precommit" of={round} come={stage >= STAGE.precommits} />
      </dl>
      {stage === STAGE.outcome && <Silent votes={round.votes} />}
      <Waits {...drawn} />
    </section>
  );
}

interface BarProps {
  name: "prevote" | "precommit";
  of: Round;
  /** Whether these votes are there yet. */
  come: boolean;
}

/** A piece for each validator, filled if it voted for the block, with the line that must be passed. */
function Bar({ name, of: { votes, neededPower }, come }: BarProps) {
  const total = votes.reduce((sum, { power }) => sum + power, 0);
  const forBlock = (vote: Vote): boolean => come && vote[name] === "block";
  const power = votes.reduce((sum, vote) => sum + (forBlock(vote) ? vote.power : 0), 0);
  return (
    <>
      <dt>{name}</dt>
      <dd className={css.stage}>
        <span className={css.bar} aria-hidden="true">
          {votes.map((vote) => (
            <span
              key={vote.node}
              className={forBlock(vote) ? css.yes : css.no}
              style={{ flexGrow: vote.power }}
            />
          ))}
          <span
            className={css.needed}
            style={{ left: `${(neededPower / Math.max(1, total)) * 100}%` }}
          />
        </span>
        <span>{come ? percent(power, total) : "…"}</span>
      </dd>
    </>
  );
}

/** Who said something else than most, and why. A card about a halt says it with more room. */
function Silent({ votes }: { votes: readonly Vote[] }) {
  const halted = useFrameState(({ frame }) => frame?.chainStatus?.state === "halted");
  const reasons = new Map<string, string[]>();
  for (const { node, why } of votes)
    if (why !== "") reasons.set(why, [...(reasons.get(why) ?? []), node]);
  if (halted || reasons.size === 0) return null;
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

/** Each failed round waits longer than the one before it. */
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
