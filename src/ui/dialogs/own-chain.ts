/** What the form of a new chain holds, as it was typed. */
export interface OwnChain {
  readonly title: string;
  readonly chainId: string;
  readonly set: "equal" | "spread" | "list";
  readonly count: string;
  /** A line for each validator: its name and its stake. */
  readonly list: string;
  readonly blockTime: string;
  readonly voting: string;
  readonly unbonding: string;
  readonly evidenceAge: string;
  readonly profile: "documented" | "sdk-0.53";
  /** The newest version for which there is a binary. */
  readonly newest: "v1" | "v2" | "v3";
}

export const USUAL_CHAIN: OwnChain = {
  title: "My chain",
  chainId: "my-chain-1",
  set: "equal",
  count: "4",
  list: "val-0 100000000\nval-1 100000000\nval-2 50000000\nval-3 50000000",
  blockTime: "5s",
  voting: "60s",
  unbonding: "504h",
  evidenceAge: "48h",
  profile: "documented",
  newest: "v2",
};

interface Staked {
  readonly name: string;
  /** Smallest unit, as it was typed. */
  readonly stake: string;
}

/** So many validators are spread at most; more are left for the engine to refuse. */
const MOST = 10_000;
/** Of one validator on average: power 1,000. */
const AVERAGE_STAKE = 1_000_000_000;

/** The number of validators; undefined if none is written. */
function countOf({ count }: OwnChain): number | undefined {
  const n = /^\d+$/.test(count.trim()) ? Number(count) : 0;
  return n > 0 && n <= MOST ? n : undefined;
}

/**
 * Stakes that fall with the rank, as on public chains: of 100 validators the largest has some 9 %, the seven largest
 * more than a third.
 */
export function spread(n: number): readonly Staked[] {
  const weights = Array.from({ length: n }, (_, rank) => (rank + 4) ** -1.1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, rank) => ({
    name: `val-${rank}`,
    stake: `${Math.round((weight / total) * n * (AVERAGE_STAKE / 1_000_000))}000000`,
  }));
}

/** The validators with stakes of their own; undefined for a number of equal ones. */
function named(form: OwnChain): readonly Staked[] | undefined {
  const n = countOf(form);
  if (form.set === "spread" && n !== undefined) return spread(n);
  if (form.set !== "list") return undefined;
  const lines = form.list.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [name = "", ...stake] = line.trim().split(/[\s,:]+/);
    return { name, stake: stake.join("") };
  });
}

/** The shares of the stake, largest first; empty while they are not all numbers. */
export function sharesOf(form: OwnChain): readonly number[] {
  const equal = form.set === "equal" ? new Array<number>(countOf(form) ?? 0).fill(1) : [];
  const stakes = named(form)?.map(({ stake }) => Number(stake)) ?? equal;
  const total = stakes.reduce((sum, stake) => sum + stake, 0);
  if (!(total > 0)) return [];
  return stakes.map((stake) => stake / total).sort((a, b) => b - a);
}

/** Stake of one unit of voting power, and of a validator for which the file names none (docs/scenarios.md). */
const UNIT = 1_000_000;
const USUAL_STAKE = 100_000_000;

/** The voting power of all validators; 0 while their stakes are not all numbers. */
export function powerOf(form: OwnChain): number {
  const stakes = named(form)?.map(({ stake }) => Number(stake));
  const power = stakes
    ? stakes.reduce((sum, stake) => sum + Math.floor(stake / UNIT), 0)
    : (countOf(form) ?? 0) * (USUAL_STAKE / UNIT);
  return Number.isFinite(power) ? power : 0;
}

/** The binaries of the chain, oldest first. */
export const binariesOf = ({ newest }: OwnChain): readonly string[] => {
  const all = ["v1", "v2", "v3"];
  return all.slice(0, all.indexOf(newest) + 1);
};

/** How many of the largest hold a third or more together: without them no more than two thirds can vote. */
export function holdersOfThird(shares: readonly number[]): number {
  let [holders, sum] = [0, 0];
  for (const share of shares) {
    // Shares are rounded: three equal ones have a third each.
    if (sum * 3 > 1 - 1e-9) break;
    sum += share;
    holders += 1;
  }
  return holders;
}

/** The chain as a scenario file without steps. */
export function chainFile(form: OwnChain): string {
  const validators = named(form)?.map(
    ({ name, stake }) => `    - { name: ${plain(name)}, stake: ${plain(stake)} }`,
  );
  return [
    "scenario: 1",
    "name: own-chain",
    `title: ${plain(form.title)}`,
    "genesis:",
    `  chain_id: ${plain(form.chainId)}`,
    `  profile: ${form.profile}`,
    `  block_time: ${plain(form.blockTime)}`,
    `  max_evidence_age: ${plain(form.evidenceAge)}`,
    `  gov: { voting_period: ${plain(form.voting)} }`,
    `  staking: { unbonding_time: ${plain(form.unbonding)} }`,
    "  accounts: { alice: 1000000000stake }",
    ...(validators
      ? ["  validators:", ...validators]
      : [`  validators: ${plain(form.count.trim())}`]),
    ...(form.newest === "v1" ? [] : ["binaries:", V2]),
    ...(form.newest === "v3" ? [V3] : []),
    "steps: []",
    "",
  ].join("\n");
}

const V2 = "  v2: { modules: { bank: 5 }, handlers: [v2] }";
const V3 = "  v3: { from: v2, handlers: [v2, v3] }";

/** A scalar in YAML: plain where it can be read in no other way, else in quotes. */
const plain = (text: string): string =>
  /^(\d{1,15}|\d+(\.\d+)?[a-z]+|[a-z]+(-[a-z]+)*-\d+)$/.test(text) ? text : JSON.stringify(text);
