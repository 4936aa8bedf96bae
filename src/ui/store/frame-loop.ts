/**
 * The one owner of animation frames. It asks for a picture at most once per animation frame, never
 * while an answer is on its way and never in a hidden tab; a full picture at most ten times a second.
 */
import type { Client } from "../../client/client.ts";
import { afterFrame, NO_ACTIVITY, useWorld, type World } from "./frame-store.ts";
import { narrate } from "./narrate.ts";
import { announce } from "./notices.ts";
import type { Frame } from "./types.ts";

const FULL_EVERY_MS = 100;
/** How long to wait after an answer that brought nothing new. */
const IDLE_MS = 80;

let samplesWanted = 0;

/** Charts call this while they are on screen; the returned function ends it. */
export function wantSamples(): () => void {
  samplesWanted += 1;
  return () => {
    samplesWanted -= 1;
  };
}

export function startFrameLoop(client: Client): void {
  let asking = false;
  let nextAsk = 0;
  let nextFull = 0;
  let revision = 0;
  let fullRevision = 0;
  let hadSamples = false;

  const tick = (time: number): void => {
    requestAnimationFrame(tick);
    if (asking || document.hidden || time < nextAsk) return;
    const full = time >= nextFull;
    asking = true;
    ask(full, time).then(
      () => {
        asking = false;
      },
      (error: Error) => useWorld.setState({ lost: error.message }),
    );
  };

  const ask = async (full: boolean, time: number): Promise<void> => {
    const world = useWorld.getState();
    const samples = samplesWanted > 0;
    const frame = await client.lab.getFrame({
      ...keptOf(world),
      revision: samples && !hadSamples ? 0 : full ? fullRevision : revision,
      brief: !full,
      samples,
    });
    revision = frame.revision;
    if (frame.chain === undefined) {
      if (full) nextAsk = time + IDLE_MS;
      return;
    }
    if (frame.world !== world.frame?.world && world.blocks.length > 0) {
      // What was kept belongs to another world, so the increments do too: ask for all of it.
      useWorld.setState({ blocks: [], activity: NO_ACTIVITY, samples: [] });
      revision = fullRevision = nextFull = 0;
      return;
    }
    if (!full) return brief(frame);
    nextFull = time + FULL_EVERY_MS;
    fullRevision = frame.revision;
    hadSamples = samples;
    useWorld.setState((old) => afterFrame(old, frame));
    const told = narrate(world.frame, frame);
    if (told.length > 0) announce(told);
  };

  requestAnimationFrame(tick);
}

function brief({ chain, player, world }: Frame): void {
  if (chain && player && world === useWorld.getState().frame?.world) {
    useWorld.setState({ now: { chain, player } });
  }
}

/** Up to where the page has the world's increments. */
function keptOf({ blocks, activity }: World): { blocksAfter: number; activityAfter: number } {
  const newest = Object.values(activity).map((list) => list.at(-1)?.seq ?? 0);
  return { blocksAfter: blocks.at(-1)?.height ?? 0, activityAfter: Math.max(...newest) };
}
