/** Values of the form for a new chain, as typed. */
export interface OwnChain {
  readonly title: string;
  readonly chainId: string;
  /** Bech32 prefix of addresses. */
  readonly prefix: string;
  readonly set: "equal" | "spread" | "list";
  readonly count: string;
  /** A line for each validator: its name and its stake. */
  readonly list: string;
  /** Maximum number of active validators; undefined while untouched, which means all of them. */
  readonly active: string | undefined;
  readonly blockTime: string;
  readonly voting: string;
  readonly unbonding: string;
  readonly evidenceAge: string;
  readonly profile: "documented" | "sdk-0.53";
  /** The newest version with a binary. */
  readonly newest: "v1" | "v2" | "v3";
}

/** Prefix of a file that names none (docs/scenarios.md). */
const USUAL_PREFIX = "chain";

export const USUAL_CHAIN: OwnChain = {
  title: "My chain",
  chainId: "my-chain-1",
  prefix: USUAL_PREFIX,
  set: "equal",
  count: "4",
  list: "val-0 100000000\nval-1 100000000\nval-2 50000000\nval-3 50000000",
  active: undefined,
  blockTime: "5 s",
  voting: "1 min",
  unbonding: "21 d",
  evidenceAge: "48 h",
  profile: "documented",
  newest: "v2",
};

interface Staked {
  readonly name: string;
  /** In the smallest unit, as typed. */
  readonly stake: string;
}

/** Maximum number of validators that are spread; more are left for the engine to refuse. */
const MOST = 10_000;
/** Average stake of one validator: power 1,000. */
const AVERAGE_STAKE = 1_000_000_000;

/** The number of validators; undefined if there is none. */
const countOf = ({ count }: OwnChain): number | undefined => integer(count);

function integer(text: string): number | undefined {
  const n = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return n > 0 && n <= MOST ? n : undefined;
}

/**
 * Stakes that decrease with the rank, as on public chains: of 100 validators the largest has some 9
 * %, the seven largest more than a third.
 */
export function spread(n: number): readonly Staked[] {
  const weights = Array.from({ length: n }, (_, rank) => (rank + 4) ** -1.1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, rank) => ({
    name: `val-${rank}`,
    stake: `${Math.round((weight / total) * n * (AVERAGE_STAKE / 1_000_000))}000000`,
  }));
}

/** The validators with individual stakes; undefined for a number of equal ones. */
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

/** Stake per unit of voting power, and default stake of a validator (docs/scenarios.md). */
const UNIT = 1_000_000;
const USUAL_STAKE = 100_000_000;
/** Default maximum of active validators (docs/scenarios.md). */
const USUAL_ACTIVE = 100;

/** Maximum number of active validators, as typed: while untouched enough for all of them. */
export function activeOf(form: OwnChain): string {
  const all = named(form)?.length ?? countOf(form) ?? 0;
  return form.active ?? String(Math.max(USUAL_ACTIVE, all));
}

/** Summary of the validators in the form. */
export interface Powers {
  readonly validators: number;
  /**
   * Powers of the active ones, largest first: those with the most stake, of at least one unit of
   * power.
   */
  readonly active: readonly number[];
  readonly total: number;
}

/** The initial voting powers; undefined while a number is missing. */
export function powersOf(form: OwnChain): Powers | undefined {
  const equal = form.set === "equal" ? new Array<number>(countOf(form) ?? 0).fill(USUAL_STAKE) : [];
  const stakes = named(form)?.map(({ stake }) => Number(stake)) ?? equal;
  const most = integer(activeOf(form));
  if (most === undefined || stakes.some((stake) => !Number.isFinite(stake))) return undefined;
  const active = stakes
    .map((stake) => Math.floor(stake / UNIT))
    .filter((power) => power > 0)
    .sort((a, b) => b - a)
    .slice(0, most);
  if (active.length === 0) return undefined;
  return {
    validators: stakes.length,
    active,
    total: active.reduce((sum, power) => sum + power, 0),
  };
}

/** The binaries of the chain, oldest first. */
export const binariesOf = ({ newest }: OwnChain): readonly string[] => {
  const all = ["v1", "v2", "v3"];
  return all.slice(0, all.indexOf(newest) + 1);
};

/**
 * Returns the number of the largest validators that together hold a third or more of the power:
 * without them no more than two thirds can vote.
 */
export function holdersOfThird({ active, total }: Powers): number {
  let [holders, sum] = [0, 0];
  for (const power of active) {
    if (sum * 3 >= total) break;
    sum += power;
    holders += 1;
  }
  return holders;
}

const UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["m", 60],
  ["s", 1],
]);

/** Seconds of a time in page or file format, `1 min 5 s` or `1m5s`; undefined for other text. */
export function secondsOf(text: string): number | undefined {
  if (!/^\s*(\d+(\.\d+)?\s*(d|h|min|m|s)\s*)+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)\s*([a-z]+)/g);
  return [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS.get(unit) ?? 0), 0);
}

/** A time in file format, which has no days; invalid text is left for the engine to refuse. */
function quoted(text: string): string {
  const seconds = secondsOf(text);
  if (seconds === undefined) return text;
  if (!Number.isInteger(seconds)) return text.replace(/\s+/g, "");
  return seconds > 0 && seconds % 3600 === 0 ? `${seconds / 3600}h` : `${seconds}s`;
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
    ...(form.prefix === USUAL_PREFIX ? [] : [`  prefix: ${plain(form.prefix)}`]),
    `  profile: ${form.profile}`,
    `  block_time: ${plain(quoted(form.blockTime))}`,
    `  max_evidence_age: ${plain(quoted(form.evidenceAge))}`,
    `  gov: { voting_period: ${plain(quoted(form.voting))} }`,
    `  staking: { unbonding_time: ${plain(quoted(form.unbonding))}, max_validators: ${plain(activeOf(form).trim())} }`,
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

/** A scalar in YAML: plain if that is unambiguous, else in quotes. */
const plain = (text: string): string =>
  /^(\d{1,15}|\d+(\.\d+)?[a-z]+|[a-z]+(-[a-z]+)*-\d+)$/.test(text) ? text : JSON.stringify(text);
