import { describe, expect, test } from "vitest";
import { blockSize } from "../../engine/simulation/decided-blocks.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import {
  pass,
  propose,
  runRounds,
  softwareUpgrade,
  worldSpec,
} from "../../engine/simulation/testing.ts";
import { BlockCounts } from "./block-counts.ts";
import { Exposition, Histogram } from "./exposition.ts";
import { metricsText } from "./metrics.ts";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/y;
const SUFFIX = { histogram: /_(bucket|sum|count)$/, gauge: /$^/, counter: /$^/ };

/**
 * Parses metrics as strictly as the format requires: a family's head appears once, before all of
 * its samples.
 */
function parsed(text: string): readonly Sample[] {
  expect(text.endsWith("\n")).toBe(true);
  const seen = new Set<string>();
  const samples: Sample[] = [];
  const places = new Set<string>();
  let family = { name: "", type: "gauge" as keyof typeof SUFFIX };
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) \S.*$/.exec(line);
    const type = /^# TYPE (\S+) (gauge|counter|histogram)$/.exec(line);
    if (help) {
      expect(seen).not.toContain(help[1]);
      seen.add(String(help[1]));
      family = { name: String(help[1]), type: "gauge" };
      continue;
    }
    if (type) {
      expect(type[1]).toBe(family.name);
      family = { name: family.name, type: type[2] as keyof typeof SUFFIX };
      continue;
    }
    const [, name = "", written = "", number = ""] =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{(.*)\} (-?\d+(?:\.\d+)?(?:e[+-]\d+)?|[+-]Inf|NaN)$/.exec(
        line,
      ) ?? [];
    expect([line, name.replace(SUFFIX[family.type], "")]).toEqual([line, family.name]);
    const labels: Record<string, string> = {};
    LABEL.lastIndex = 0;
    while (LABEL.lastIndex < written.length) {
      const [, label = "", value = ""] = LABEL.exec(written) ?? [];
      expect([line, label]).not.toEqual([line, ""]);
      labels[label] = value;
      if (LABEL.lastIndex < written.length) {
        expect(written[LABEL.lastIndex]).toBe(",");
        LABEL.lastIndex += 1;
      }
    }
    const host = `${name}${JSON.stringify(labels)}`;
    expect(places).not.toContain(host);
    places.add(host);
    samples.push({ name, labels, value: number === "+Inf" ? Infinity : Number(number) });
  }
  return samples;
}

const valueIn = (samples: readonly Sample[], name: string, labels: object = {}) => {
  const found = samples.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]?.value;
};

/** A world whose blocks are counted from the first on. */
function counted(rounds: number) {
  const sim = Simulation.create(worldSpec());
  const counts = new BlockCounts(sim);
  const run = (more: number) => {
    for (let i = 0; i < more; i++) {
      runRounds(sim, 1);
      counts.observe();
    }
  };
  run(rounds);
  return { sim, counts, run, read: () => parsed(metricsText(counts)) };
}

describe("metrics", () => {
  test("CometBFT's, of the chain and of each validator, all with the chain's id", () => {
    const { sim, read } = counted(10);
    const samples = read();
    expect(samples.every(({ labels }) => labels.chain_id === sim.spec.chainId)).toBe(true);
    const at = (name: string, labels?: object) => valueIn(samples, `cometbft_${name}`, labels);
    expect(at("consensus_height")).toBe(11);
    expect(at("consensus_latest_block_height")).toBe(10);
    expect(at("consensus_validators")).toBe(4);
    expect(at("consensus_validators_power")).toBe(400);
    expect(at("consensus_missing_validators")).toBe(0);
    expect(at("consensus_block_interval_seconds_count")).toBe(9);
    expect(at("consensus_block_interval_seconds_bucket", { le: "5" })).toBe(9);
    expect(at("consensus_block_interval_seconds_bucket", { le: "4" })).toBe(0);
    expect(at("consensus_block_interval_seconds_bucket", { le: "+Inf" })).toBe(9);
    expect(at("consensus_block_size_bytes")).toBe(blockSize(sim, 10));
    const sizes = Array.from({ length: 10 }, (_, i) => blockSize(sim, i + 1) ?? 0);
    expect(at("consensus_chain_size_bytes")).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(at("consensus_round_voting_power_percent", { vote_type: "precommit" })).toBe(1);
    expect(
      samples.filter(({ name }) => name === "cometbft_consensus_validator_power"),
    ).toHaveLength(4);
    expect(at("mempool_size")).toBe(0);
    expect(at("p2p_peers")).toBe(3);
  });

  test("who misses blocks and who is accused is counted", () => {
    const { sim, run, read } = counted(3);
    sim.apply({ type: "fault", node: "val-3", kind: "mute" });
    run(4);
    const samples = read();
    expect(valueIn(samples, "cometbft_consensus_missing_validators")).toBe(1);
    expect(valueIn(samples, "cometbft_consensus_missing_validators_power")).toBe(100);
    const val3 = { name: "val-3" };
    const at = (name: string) => valueIn(samples, `cosmos_validator_watcher_${name}`, val3);
    const missed = sim.height - 3;
    expect(missed).toBeGreaterThan(1);
    expect(at("missed_blocks")).toBe(missed);
    expect(at("solo_missed_blocks")).toBe(missed);
    expect(at("consecutive_missed_blocks")).toBe(missed);
    // A block's own commit is in the next one.
    expect(at("missed_blocks_window")).toBe(missed - 1);
    expect(at("validated_blocks")).toBe(3);
    expect(at("is_bonded")).toBe(1);
  });

  test("the watcher's: slashing's rules, ranks, nodes, the plan and votes", () => {
    const { sim, counts, run, read } = counted(2);
    pass(sim, softwareUpgrade(sim, "v2", 500));
    propose(sim, 2n, softwareUpgrade(sim, "v3", 600));
    counts.observe();
    run(1);
    const samples = read();
    const at = (name: string, labels?: object) =>
      valueIn(samples, `cosmos_validator_watcher_${name}`, labels);
    expect(at("block_height")).toBe(sim.height);
    expect(at("active_set")).toBe(4);
    expect(at("tracked_blocks")).toBe(sim.height);
    expect(at("transactions_total")).toBeGreaterThan(0);
    expect(at("signed_blocks_window")).toBe(100);
    expect(at("slash_fraction_double_sign")).toBe(0.05);
    expect(at("upgrade_plan", { version: "v2", block: "500" })).toBe(500);
    expect(at("vote", { name: "val-1", proposal_id: "2" })).toBe(1);
    expect(at("proposal_end_time", { proposal_id: "2" })).toBeGreaterThan(1_700_000_000);
    expect(at("node_synced", { node: "val-2" })).toBe(1);
    expect(at("seat_price", { denom: "stake" })).toBeGreaterThan(0);
    const ranks = samples.filter(({ name }) => name === "cosmos_validator_watcher_rank");
    expect(ranks.map(({ value }) => value)).toEqual([1, 2, 3, 4]);
  });

  test("of blocks that are too many to be counted at once the newest are, and the others said to be skipped", () => {
    const sim = Simulation.create(worldSpec());
    const counts = new BlockCounts(sim);
    runRounds(sim, 10_010);
    counts.observe();
    expect([counts.blocks, counts.skipped]).toEqual([10_000, 10]);
  });

  test("the text escapes what stands in labels and help", () => {
    const out = new Exposition({ chain_id: 'a"b\\c\nd' });
    out.gauge("x", "first\nsecond\\", -0.5);
    const histogram = new Histogram([1]);
    histogram.observe(2);
    out.histogram("h", "seconds", histogram);
    expect(out.text.split("\n")).toEqual([
      "# HELP x first\\nsecond\\\\",
      "# TYPE x gauge",
      'x{chain_id="a\\"b\\\\c\\nd"} -0.5',
      "# HELP h seconds",
      "# TYPE h histogram",
      'h_bucket{chain_id="a\\"b\\\\c\\nd",le="1"} 0',
      'h_bucket{chain_id="a\\"b\\\\c\\nd",le="+Inf"} 1',
      'h_sum{chain_id="a\\"b\\\\c\\nd"} 2',
      'h_count{chain_id="a\\"b\\\\c\\nd"} 1',
      "",
    ]);
  });
});
