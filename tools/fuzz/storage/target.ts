/** Sessions on one storage: saved, killed, damaged, opened again. */
import type { Draw } from "../draw.ts";
import { CaseError, type Target } from "../target.ts";
import { drawBeginning } from "../worlds/beginning.ts";
import { drawStep, MOODS } from "../worlds/steps.ts";
import type { Act } from "./act.ts";
import { drawDamage } from "./damage.ts";
import { originOf, PlayedStorage } from "./played-storage.ts";

const MOST_ACTS = 30;

/** A case is the file of the first world, and what is done. */
export const storage: Target = {
  name: "storage",
  about: "saved worlds that are killed, damaged, copied and opened again",

  async draw(draw: Draw) {
    const file = drawBeginning(draw);
    const acts: Act[] = [];
    const given = { ...file, acts };
    try {
      const origin = originOf(file);
      if (origin === undefined) return;
      const played = new PlayedStorage();
      await played.begin(origin);
      for (let i = draw.between(4, MOST_ACTS); i > 0; i--) {
        acts.push(drawAct(draw, played));
        await played.take(acts.at(-1) as Act);
      }
      await played.end();
    } catch (error) {
      throw new CaseError(given, error);
    }
  },

  async run(given) {
    const { acts = [], ...file } = Object(given);
    const origin = originOf({ steps: [], ...file });
    if (origin === undefined) return;
    const played = new PlayedStorage();
    await played.begin(origin);
    for (const act of acts) await played.take(Object(act));
    await played.end();
  },
};

const { anything = {} } = MOODS;

function drawAct(draw: Draw, { session }: PlayedStorage): Act {
  const step = (): unknown => drawStep(draw, session.sim, anything);
  const number = draw.between(0, 5);
  return draw.weighted<() => Act>([
    [10, () => ({ step: step(), wait: true })],
    [4, () => ({ step: { run: draw.between(1, 30) } })],
    [2, () => ({ step: step() })],
    [2, () => ({ ballast: draw.pick([10_000, 70_000]) })],
    [4, () => ({ blocks: draw.pick([1, 5, 40, 260]) })],
    [2, () => ({ control: draw.pick(["play", "pause", "pause", "stop"]) })],
    [1, () => ({ speed: draw.pick([0, 1, 20, 10_000]) })],
    [3, () => ({ pass: draw.pick([10, 100, 400]) })],
    [6, () => ({ save: true })],
    [1, () => ({ fail: draw.pick(["full", "unavailable"]), calls: draw.between(1, 6) })],
    [1, () => (draw.chance(0.3) ? { clear: true } : { save: true })],
    [1, () => ({ load: JSON.stringify({ ...drawBeginning(draw), steps: story(draw) }) })],
    [1, () => ({ open: number })],
    [1, () => ({ duplicate: number })],
    [1, () => draw.pick([{ remove: number }, { restore: number }, { rename: number }])],
    [2, () => copy(draw, number)],
    [5, () => ({ damage: damages(draw) })],
    [6, () => ({ crash: draw.pick([0, 0, 1, 2]), open: draw.chance(0.8) ? 0 : number })],
  ])();
}

const story = (draw: Draw): unknown[] =>
  Array.from({ length: draw.between(0, 3) }, () => ({ run: draw.between(1, 20) }));

const copy = (draw: Draw, number: number): Act =>
  draw.chance(0.4)
    ? { copy: number }
    : { copy: number, damaged: drawDamage(draw), inside: draw.chance(0.6) };

const damages = (draw: Draw) =>
  Array.from({ length: draw.pick([1, 1, 1, 2, 3]) }, () => ({
    world: draw.chance(0.8) ? 0 : draw.between(0, 3),
    ...drawDamage(draw),
  }));
