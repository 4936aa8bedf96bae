import { useEffect, useRef, useState } from "react";
import type { Client } from "../../client/client.ts";
import { engine } from "../store/actions.ts";
import { useWorld } from "../store/frame-store.ts";
import { percent } from "../widgets/format.ts";
import css from "./RoundStrip.module.css";

type Round = Awaited<ReturnType<Client["lab"]["getRounds"]>>["rounds"][number];
type Vote = Round["votes"][number];

const OUTCOME: Readonly<Record<string, string>> = {
  decided: "block decided",
  "no-proposal": "no proposal came",
  "too-few-votes": "too few votes",
};

/** The newest round: who proposed, how much power prevoted and precommitted the block, and what came of it. */
export default function RoundStrip() {
  const round = useNewestRound();
  const height = useWorld(({ frame }) => frame?.chain?.decidedHeight ?? 0);
  // The card about the halt says who is missing and why, and needs the room.
  const halted = useWorld(({ frame }) => frame?.standing?.state === "halted");
  if (round === undefined) return null;
  const decided = round.outcome === "decided";
  return (
    <section className={css.strip} aria-label="The newest round">
      <p className={css.head}>
        <span>
          Height {decided ? height : height + 1}, round {round.round}
        </span>
        <span className={decided ? css.good : css.bad}>
          {OUTCOME[round.outcome] ?? round.outcome}
        </span>
      </p>
      {!halted && (
        <dl className={css.stages}>
          <dt>proposes</dt>
          <dd>{round.proposer}</dd>
          <Stage name="prevote" of={round} vote={({ prevote }) => prevote} />
          <Stage name="precommit" of={round} vote={({ precommit }) => precommit} />
        </dl>
      )}
    </section>
  );
}

interface StageProps {
  name: string;
  of: Round;
  vote(vote: Vote): string;
}

/** One bar: a piece for each validator, filled if it voted for the block. */
function Stage({ name, of: { votes }, vote }: StageProps) {
  const total = votes.reduce((sum, { power }) => sum + power, 0);
  const yes = votes.filter((one) => vote(one) === "block");
  const power = yes.reduce((sum, one) => sum + one.power, 0);
  const missing = votes.filter((one) => vote(one) !== "block").map(({ node }) => node);
  const words = `${percent(power, total)} of the power${missing.length > 0 ? `, without ${missing.join(", ")}` : ""}`;
  return (
    <>
      <dt>{name}</dt>
      <dd className={css.stage} title={words}>
        <span className={css.bar} aria-hidden="true">
          {votes.map((one) => (
            <span
              key={one.node}
              className={vote(one) === "block" ? css.yes : css.no}
              style={{ flexGrow: one.power }}
            />
          ))}
        </span>
        <span>{percent(power, total)}</span>
      </dd>
    </>
  );
}

/** Asks for the rounds of the newest height whenever height or round has moved, one request at a time. */
function useNewestRound(): Round | undefined {
  const [round, setRound] = useState<Round>();
  const asking = useRef(false);
  const halted = useWorld(({ frame }) => frame?.standing?.state === "halted");
  const height = useWorld(({ frame }) => frame?.chain?.decidedHeight ?? 0);
  const tried = useWorld(({ frame }) => frame?.chain?.round ?? 0);
  useEffect(() => {
    if (asking.current) return;
    asking.current = true;
    engine()
      .lab.getRounds({ height: halted || tried > 0 ? 0 : height })
      .then(({ rounds }) => setRound((old) => rounds.at(-1) ?? old))
      // Whoever lost the engine is told so elsewhere.
      .catch(() => {})
      .finally(() => {
        asking.current = false;
      });
  }, [halted, height, tried]);
  return round;
}
