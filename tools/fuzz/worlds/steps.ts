/** Draws the next step of a world, knowing how it stands. */

import { formatRfc3339, SECOND } from "../../../src/base/time.ts";
import { SIGNER_STATE } from "../../../src/engine/network/node/signer-state.ts";
import type { Simulation } from "../../../src/engine/simulation/simulation.ts";
import type { Draw } from "../draw.ts";
import { drawMessage, type Known, MESSAGES } from "../messages.ts";
import { PLANS } from "./beginning.ts";

type Step = Record<string, unknown>;
type Kind = (draw: Draw, sim: Simulation, known: Known) => Step;

const FILES = [
  "data/upgrade-info.json",
  SIGNER_STATE,
  "cosmovisor/preupgrade.sh",
  "config/app.toml",
];
const CONTENTS = [
  "",
  "{}",
  '{"name":"v2","height":12}',
  '{"name":"V2","height":9,"info":"{}"}',
  '{"height":"3","round":0,"step":3}',
  '{"height":"99999","round":0,"step":3}',
  "exit 30",
  "[1",
];
const URLS = ["https://releases.example/v2", "https://releases.example/v3?checksum=sha256:00"];

/** Generators of each kind of step. Worlds differ in the weights of the kinds. */
const KINDS: Readonly<Record<string, Kind>> = {
  run: (draw) => ({ run: { for: `${5 * draw.between(1, 6)}s` } }),
  tx: (draw, _, known) => transaction(draw, known, draw.pick(MESSAGES)),
  stake: (draw, _, known) =>
    transaction(
      draw,
      known,
      draw.pick(MESSAGES.filter(({ typeName }) => /staking|slashing/.test(typeName))),
    ),
  govern: (draw, _, known) =>
    transaction(
      draw,
      known,
      draw.pick(MESSAGES.filter(({ typeName }) => /\.gov\./.test(typeName))),
    ),
  evidence: (draw, _, known) =>
    transaction(
      draw,
      known,
      draw.pick(MESSAGES.filter(({ typeName }) => /evidence/.test(typeName))),
    ),
  upgrade: (draw, sim) =>
    draw.chance(0.15)
      ? { upgrade: { cancel: true } }
      : {
          upgrade: {
            name: draw.pick(PLANS),
            at: Math.max(1, sim.height + draw.between(1, 14)),
            ...(draw.chance(0.2) ? { info: draw.pick([...CONTENTS, ...URLS]) } : {}),
          },
        },
  vote: (draw, _, known) => ({
    vote: {
      proposal: draw.between(1, 4),
      option: draw.pick(["yes", "yes", "no", "abstain", "no_with_veto"]),
      by: draw.chance(0.5) ? "all" : draw.some(known.validators),
    },
  }),
  help: (draw, sim) => {
    const ailing = sim.nodes().filter(({ process }) => process !== "running");
    const node = ailing.length > 0 ? draw.pick(ailing) : draw.pick(sim.nodes());
    const binary = /UPGRADE "(\w+)" NEEDED/.exec(node.reason)?.[1];
    const which = ailing.filter(({ reason }) => reason === node.reason).map(({ name }) => name);
    return {
      nodes: {
        which: which.length > 0 ? which : [node.name],
        ...(binary !== undefined && draw.chance(0.8) ? { binary } : { start: true }),
      },
    };
  },
  node: (draw, sim) => ({ nodes: { which: someNodes(draw, sim), ...action(draw, sim) } }),
  fault: (draw, sim) => ({ fault: fault(draw, sim) }),
  partition: (draw, sim) => ({
    partition: draw.chance(0.5) ? "heal" : parts(draw, sim),
  }),
  double_sign: (draw, sim) => ({ double_sign: { node: draw.pick(sim.nodes()).name } }),
  attack: (draw, sim, known) => ({
    light_client_attack: {
      kind: draw.pick(["lunatic", "equivocation", "amnesia"]),
      by: draw.some(known.validators),
      ...(draw.chance(0.5) ? { height: Math.max(1, sim.height - draw.between(-2, 5)) } : {}),
    },
  }),
  misbehavior: (draw, sim, known) => ({
    misbehavior: {
      type: draw.pick(["duplicate_vote", "light_client_attack", "unknown"]),
      validators: draw.some(known.validators),
      height: Math.max(0, sim.height - draw.between(-1, 9)),
      ...(draw.chance(0.3) ? { time: draw.pick(known.times) } : {}),
      ...(draw.chance(0.3) ? { power: draw.pick([0, 1, 100, 9_007_199_254_740_991]) } : {}),
    },
  }),
  release: (draw) => ({
    release: {
      name: draw.pick(["v1", ...PLANS]),
      url: draw.pick(URLS),
      serves: draw.pick(["binary", "missing", "slow", "wrong_checksum", "empty"]),
    },
  }),
};

type Weights = Readonly<Partial<Record<keyof typeof KINDS, number>>>;

/** Weights of the steps of a world, besides the passing of time. */
export const MOODS: Readonly<Record<string, Weights>> = {
  staking: {
    run: 8,
    stake: 14,
    tx: 2,
    evidence: 2,
    misbehavior: 3,
    double_sign: 2,
    node: 1,
    help: 1,
  },
  governing: { run: 8, govern: 10, vote: 5, tx: 3, upgrade: 2, help: 2 },
  upgrading: { run: 8, upgrade: 6, help: 8, node: 6, release: 1, tx: 1, fault: 1, vote: 1 },
  failing: { run: 9, fault: 7, node: 4, partition: 3, help: 3, tx: 1, double_sign: 1 },
  attacking: {
    run: 9,
    double_sign: 3,
    attack: 3,
    fault: 4,
    partition: 3,
    misbehavior: 2,
    node: 3,
    evidence: 2,
    stake: 2,
  },
  anything: Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, kind === "run" ? 8 : 2])),
};

export function drawStep(draw: Draw, sim: Simulation, weights: Weights): Step {
  const kind = draw.weighted(
    Object.entries(weights).map(([name, weight]) => [weight ?? 0, name] as const),
  );
  return (KINDS[kind] as Kind)(draw, sim, knownOf(sim));
}

function knownOf(sim: Simulation): Known {
  const validators = sim.spec.validators.map(({ name }) => name);
  const { height, initialHeight } = sim;
  const heights = [height, Math.max(initialHeight, height - 3), initialHeight];
  return {
    validators,
    people: [...validators, "alice", "bob", "gov"],
    plans: PLANS,
    height,
    times: heights.map((each) => formatRfc3339(sim.timeAt(each) ?? sim.spec.genesisTime)),
  };
}

function transaction(draw: Draw, known: Known, desc: (typeof MESSAGES)[number]): Step {
  const from = draw.pick(known.people.filter((name) => name !== "gov"));
  const msgs = [drawMessage(draw, known, from, desc)];
  if (draw.chance(0.1)) msgs.push(drawMessage(draw, known, from));
  return { tx: { from, msgs, wait: false } };
}

const someNodes = (draw: Draw, sim: Simulation): string[] | "all" =>
  draw.chance(0.1) ? "all" : draw.some(sim.nodes().map(({ name }) => name)).slice(0, 3);

const parts = (draw: Draw, sim: Simulation): string[][] => {
  const groups: string[][] = [[], [], []];
  for (const { name } of sim.nodes()) groups[draw.between(0, 2)]?.push(name);
  return groups.filter((group) => group.length > 0);
};

function action(draw: Draw, sim: Simulation): Step {
  const near = Math.max(1, sim.height + draw.between(-2, 9));
  const second = sim.time / SECOND + BigInt(draw.between(-5, 60));
  const soon = formatRfc3339(second * SECOND);
  return draw.weighted<Step>([
    [4, { stop: true }],
    [4, { start: true }],
    [4, { binary: draw.pick(["v1", ...PLANS]) }],
    [3, { stage: draw.pick(PLANS) }],
    [3, { sidecar: sidecar(draw) }],
    [2, { skip_upgrades: [near] }],
    [
      1,
      {
        skip_upgrades: { heights: [near, near + 2], form: draw.pick(["comma", "space", "equals"]) },
      },
    ],
    [2, { halt_height: draw.chance(0.4) ? 0 : near }],
    [1, { halt_time: draw.chance(0.4) ? 0 : soon }],
    [1, { twin: draw.chance(0.7) }],
    [1, { lose_signer_state: true }],
    [2, { roll_back: draw.between(1, 3) }],
    [2, { state_sync: draw.pick(sim.nodes()).name }],
    [1, { wipe: true }],
    [1, { disk: { writable: draw.chance(0.5) } }],
    [1, { write_file: { path: draw.pick(FILES), content: draw.pick(CONTENTS) } }],
    [1, { remove_file: draw.pick(FILES) }],
  ]);
}

const sidecar = (draw: Draw): Step => ({
  mode: draw.pick(["manual", "staged", "staged", "download"]),
  ...(draw.chance(0.2) ? { restart_after_upgrade: draw.chance(0.5) } : {}),
  ...(draw.chance(0.2) ? { restart_delay: "7s" } : {}),
  ...(draw.chance(0.2) ? { shutdown_grace: "2s", shutdown_takes: draw.pick(["1s", "3s"]) } : {}),
  ...(draw.chance(0.2) ? { poll_interval: draw.pick(["300ms", "20s"]) } : {}),
  ...(draw.chance(0.2) ? { backup: draw.chance(0.5) } : {}),
  ...(draw.chance(0.1) ? { backup_dir: "/mnt/backups" } : {}),
  ...(draw.chance(0.2) ? { custom_pre_upgrade: "preupgrade.sh" } : {}),
  ...(draw.chance(0.2) ? { pre_upgrade_exits: draw.pick([[], [1], [30, 0], [31]]) } : {}),
  ...(draw.chance(0.2) ? { pre_upgrade_max_retries: draw.between(0, 3) } : {}),
});

function fault(draw: Draw, sim: Simulation): Step {
  const lasts = draw.chance(0.7) ? { for: draw.between(1, 6) } : {};
  const begins = draw.chance(0.3) ? { at: Math.max(1, sim.height + draw.between(0, 5)) } : {};
  if (draw.chance(0.15)) return { clear: "all" };
  if (draw.chance(0.12)) return { chaos: draw.between(1, 5), for: draw.between(1, 8) };
  if (draw.chance(0.2)) return { kind: "partition", groups: parts(draw, sim), ...lasts, ...begins };
  const kind = draw.pick([
    ...["mute", "slow", "flaky", "crash", "clock", "stop"],
    ...["double_sign", "twin", "lose_signer_state"],
  ]);
  return {
    node: draw.pick(sim.nodes()).name,
    kind,
    ...lasts,
    ...begins,
    ...(kind === "clock" ? { by: draw.pick(["-10s", "1h", "300ms"]) } : {}),
    ...(kind === "flaky" && draw.chance(0.5) ? { probability: 0.5 } : {}),
  };
}
