/** The genesis values of a world, and a copy of its genesis with one value changed. */
import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { formatBinaries, formatGenesis, genesisValues } from "./format-world.ts";
import { parseScenario } from "./parse.ts";
import type { Scenario } from "./scenario.ts";
import { importedGenesis, type WorldSource } from "./world-source.ts";

/**
 * A value by its path in the `genesis` section of a scenario, such as `gov.voting_period`;
 * `binary`: that of all nodes.
 */
export interface GenesisValue {
  readonly name: string;
  readonly value: string;
}

export interface ChangedGenesis {
  readonly scenario: Scenario;
  readonly text: string;
  readonly file: string;
}

/**
 * Values that define the chain's name, accounts or addresses, without which its commands are
 * invalid.
 */
const FIXED =
  /^genesis\.(chain_id|prefix|genesis_time|initial_height|denom|evidence_routes|accounts\.|validators\.|import\.)/;
/** Settings of an imported chain that are not part of its state. */
const BESIDE_IMPORT = ["profile", "block_time", "commits"];
const PLACE = "genesis.";

const binaryOf = ({ validators }: WorldSpec): string =>
  [...new Set(validators.map(({ binary }) => binary))].join(", ");

/** Values that a branch of the world can change, with their current values. */
export function changeableValues(spec: WorldSpec): readonly GenesisValue[] {
  const values = [...genesisValues(spec)].flatMap(([name, value]) =>
    name.startsWith(PLACE) && !FIXED.test(name) ? [{ name: name.slice(PLACE.length), value }] : [],
  );
  const input = spec.start ? values.filter(({ name }) => BESIDE_IMPORT.includes(name)) : values;
  return [{ name: "binary", value: binaryOf(spec) }, ...input];
}

/**
 * The genesis of a world with one value changed. Throws an Error with the name of the value and the
 * expected values.
 * @param binaries all binaries of the world, including those added after genesis
 */
export function changedGenesis(
  source: WorldSource,
  binaries: readonly BinarySpec[],
  { name, value }: GenesisValue,
): ChangedGenesis {
  const { spec } = source;
  const known = changeableValues(spec);
  const now = known.find((one) => one.name === name)?.value;
  if (now === undefined) {
    const names = known.map((one) => one.name).join(", ");
    throw new Error(
      `there is no value "${name}" that can be other in a branch; there are ${names}`,
    );
  }
  const whole = {
    ...{ scenario: 1, name: "other", title: source.title, seed: spec.seed },
    ...withValue(source, binaries, name, value),
    steps: [],
  };
  const text = JSON.stringify(whole);
  const read = parseScenario(text, "other.json");
  if ("problems" in read) {
    const [problem] = read.problems;
    throw new Error(`${name}: ${problem?.message ?? "it cannot be so"}`);
  }
  const { scenario } = read;
  if (changeableValues(scenario.spec).find((one) => one.name === name)?.value === now) {
    throw new Error(`${name}: expected another value, found ${now}, which it is in this world`);
  }
  // The file of a new chain contains no more than its spec.
  return { scenario, ...(spec.start ? { text, file: "other.json" } : { text: "", file: "" }) };
}

function withValue(
  began: WorldSource,
  binaries: readonly BinarySpec[],
  name: string,
  value: string,
): object {
  const { spec } = began;
  const source = scalarOf(value);
  if (spec.start) {
    const { genesis, ...beside } = importedGenesis(began);
    return { ...beside, genesis: { ...Object(genesis), [name]: source } };
  }
  const genesis = formatGenesis(spec);
  const all = new Map([...spec.binaries, ...binaries].map((binary) => [binary.name, binary]));
  const others = formatBinaries([...all.values()]);
  const base = Object.keys(others).length > 0 ? { binaries: others } : {};
  if (name === "binary") {
    if (!all.has(value) && value !== V1.name) {
      const names = [...all.keys()].join(", ");
      throw new Error(`${name}: there is no binary "${value}": expected one of ${names}`);
    }
    const validators = spec.validators.map(({ name: own, stake }) => ({
      name: own,
      stake: `${stake}`,
      binary: value,
    }));
    return { ...base, genesis: { ...genesis, validators } };
  }
  const [section = "", key] = name.split(".");
  if (key === undefined) return { ...base, genesis: { ...genesis, [section]: source } };
  const own = { ...Object((genesis as Record<string, unknown>)[section]), [key]: source };
  return { ...base, genesis: { ...genesis, [section]: own } };
}

/** A value as in a file: integers and booleans are not text. */
function scalarOf(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
