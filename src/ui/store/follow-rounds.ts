import { engine } from "./actions.ts";
import { useWorld } from "./frame-store.ts";
import { type DrawnRound, STAGE, type Stage, useRound } from "./round.ts";
import type { Round } from "./types.ts";

/** Rounds of one height that are asked for: enough to see that their timeouts grow. */
const ASKED = 6;
/** A chain that stands still is tried so often. */
const STANDSTILL_MS = 500;
/** Rounds that come quicker than this are drawn as they ended. */
const TOO_QUICK_MS = 450;
/** Part of the time between two rounds that each stage but the last is shown. */
const PART = 0.22;

/** Follows the rounds while somebody looks; the returned function ends it. */
export function followRounds(): () => void {
  let drawnOf = "";
  let asking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (): Promise<void> => {
    const { frame } = useWorld.getState();
    const { chain, world, chainStatus } = frame ?? {};
    const key = `${world}/${chain?.decidedHeight}/${chain?.round}/${chainStatus?.state}`;
    if (!chain || asking || key === drawnOf) return;
    drawnOf = key;
    asking = true;
    // A round that brought nothing belongs to the height that is being decided; before the first block none did.
    const none = chain.decidedHeight < chain.initialHeight;
    const height = chain.round > 0 || none ? 0 : chain.decidedHeight;
    try {
      const answer = await engine().lab.getRounds({ height, newest: ASKED });
      const round = answer.rounds.at(-1);
      if (round) show({ height: answer.height, round, waited: waits(answer.rounds, chain.clock) });
      else useRound.setState({ drawn: undefined });
    } catch {
      // Whoever lost the engine is told so elsewhere.
    }
    asking = false;
    look();
  };

  const show = (round: Omit<DrawnRound, "stage">): void => {
    clearTimeout(timer);
    const last = useRound.getState().drawn;
    const same = last?.height === round.height && last.round.began === round.round.began;
    const pause = same ? 0 : betweenRounds();
    const goOn = (stage: Stage): void => {
      useRound.setState({ drawn: { ...round, stage } });
      if (stage < STAGE.outcome) timer = setTimeout(goOn, pause * PART, stage + 1);
    };
    goOn(pause < TOO_QUICK_MS ? STAGE.outcome : STAGE.proposal);
  };

  const stop = useWorld.subscribe(look);
  look();
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Milliseconds from one round to the next as things are. */
function betweenRounds(): number {
  const { player, chainStatus } = useWorld.getState().frame ?? {};
  const { speed = 1, playing } = player ?? {};
  const paced = speed > 0 ? 1000 / speed : 0;
  // One that was asked for by itself may take its time.
  if (!playing && !player?.busy) return 1000;
  return Math.min(1000, chainStatus?.state === "halted" ? Math.max(paced, STANDSTILL_MS) : paced);
}

/** How long each round took: until the next one began, or until now. */
function waits(rounds: readonly Round[], clock: string): DrawnRound["waited"] {
  return rounds.map(({ round, began }, i) => ({
    round,
    seconds: (Date.parse(rounds[i + 1]?.began ?? clock) - Date.parse(began)) / 1000,
  }));
}
