/**
 * Follows the rounds of the chain: only the strip that draws them needs it, so it is not part of
 * the first screen.
 */
import type { StoreApi } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import type { FrameState } from "./frame-store.ts";
import { type DrawnRound, type RoundState, STAGE, type Stage } from "./rounds.ts";
import { isDecided, situationOf } from "./situation.ts";
import type { Round } from "./types.ts";

/** Maximum rounds of one height that are queried: enough to show their growing timeouts. */
const MAX_ROUNDS = 6;
/** Time between two rounds of a halted chain. */
const STANDSTILL_MS = 500;
/** Rounds faster than this are drawn only in their final state. */
const TOO_QUICK_MS = 450;
/** Share of the time between two rounds for which each stage except the last is shown. */
const PART = 0.22;

/** Draws each round as it ends, until the returned function is called. */
export function followRounds(
  { lab }: Client,
  frames: StoreApi<FrameState>,
  rounds: StoreApi<RoundState>,
): () => void {
  let drawnOf = "";
  let asking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (): Promise<void> => {
    const { frame, at } = frames.getState();
    if (!frame?.chain || at === undefined) return;
    const { chain, world, chainStatus } = frame;
    // Nodes that have applied it may try the next one: the stuck block is the decided one.
    const stuck = situationOf(frame) === "halted" && isDecided(frame);
    const key = `${world}/${at}/${chain.decidedHeight}/${stuck || chain.round}/${chainStatus?.state}`;
    if (asking || key === drawnOf) return;
    drawnOf = key;
    asking = true;
    // A failed round belongs to the height being decided; before the first block there is none.
    const none = chain.decidedHeight < chain.initialHeight;
    const height = (chain.round > 0 && !stuck) || none ? 0 : chain.decidedHeight;
    try {
      const answer = await lab.getRounds({ height, newest: MAX_ROUNDS });
      const round = answer.rounds.at(-1);
      if (round) show({ height: answer.height, round, waited: waits(answer.rounds, chain.clock) });
      else rounds.setState({ drawn: undefined });
    } catch {
      // The frame loop reports a lost engine.
    }
    asking = false;
    look();
  };

  const show = (round: Omit<DrawnRound, "stage">): void => {
    clearTimeout(timer);
    const last = rounds.getState().drawn;
    const same = last?.height === round.height && last.round.began === round.round.began;
    const pause = same ? 0 : betweenRounds(frames.getState());
    const draw = (stage: Stage): void => {
      rounds.setState({ drawn: { ...round, stage } });
      if (stage < STAGE.outcome) timer = setTimeout(draw, pause * PART, stage + 1);
    };
    // A past round is over.
    draw(frames.getState().travel || pause < TOO_QUICK_MS ? STAGE.outcome : STAGE.proposal);
  };

  const stop = frames.subscribe(look);
  look();
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Current milliseconds from one round to the next. */
function betweenRounds({ frame }: FrameState): number {
  const { player, chainStatus } = frame ?? {};
  const { speed = 1, playing } = player ?? {};
  const paced = speed > 0 ? 1000 / speed : 0;
  // A single requested one may take its time.
  if (!playing && !player?.busy) return 1000;
  return Math.min(1000, chainStatus?.state === "halted" ? Math.max(paced, STANDSTILL_MS) : paced);
}

/** Returns the duration of each round: until the next one began, or until now. */
function waits(rounds: readonly Round[], clock: string): DrawnRound["waited"] {
  return rounds.map(({ round, began }, i) => ({
    round,
    seconds: (Date.parse(rounds[i + 1]?.began ?? clock) - Date.parse(began)) / 1000,
  }));
}
