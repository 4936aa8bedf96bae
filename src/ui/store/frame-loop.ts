/**
 * The one owner of animation frames. It asks for a picture at most ten times a second, so that tables and
 * drawings cost the same at any engine speed, never while an answer is on its way and never in a
 * hidden tab.
 */
import type { Client } from "../../client/client.ts";
import { afterFrame, NO_ACTIVITY, useWorld, type World } from "./frame-store.ts";
import { narrate } from "./narrate.ts";
import { announce, forgetUntrue } from "./notices.ts";

const EVERY_MS = 100;

let samplesWanted = 0;
let nextAsk = 0;

/** Charts call this while they are on screen; they are not kept waiting. The returned function ends it. */
export function wantSamples(): () => void {
  samplesWanted += 1;
  nextAsk = 0;
  return () => {
    samplesWanted -= 1;
  };
}

export function startFrameLoop(client: Client): void {
  let asking = false;
  let revision = 0;
  let hadSamples = false;

  const tick = (time: number): void => {
    requestAnimationFrame(tick);
    if (asking || document.hidden || time < nextAsk) return;
    asking = true;
    nextAsk = time + EVERY_MS;
    ask().then(
      () => {
        asking = false;
      },
      (error: Error) => useWorld.setState({ lost: error.message }),
    );
  };

  const ask = async (): Promise<void> => {
    const world = useWorld.getState();
    const samples = samplesWanted > 0;
    const frame = await client.lab.getFrame({
      ...keptOf(world),
      revision: samples && !hadSamples ? 0 : revision,
      samples,
    });
    revision = frame.revision;
    if (frame.chain === undefined) return;
    if (frame.world !== world.frame?.world && world.blocks.length > 0) {
      // What was kept belongs to another world, so the increments do too: ask for all of it.
      useWorld.setState({ blocks: [], activity: NO_ACTIVITY, samples: [] });
      revision = nextAsk = 0;
      return;
    }
    hadSamples = samples;
    useWorld.setState((old) => afterFrame(old, frame));
    forgetUntrue(world.frame, frame);
    const told = narrate(world.frame, frame);
    if (told.length > 0) announce(told);
  };

  requestAnimationFrame(tick);
}

/** Up to where the page has the world's increments. */
function keptOf({ blocks, activity }: World): { blocksAfter: number; activityAfter: number } {
  const newest = Object.values(activity).map((list) => list.at(-1)?.seq ?? 0);
  return { blocksAfter: blocks.at(-1)?.height ?? 0, activityAfter: Math.max(...newest) };
}
