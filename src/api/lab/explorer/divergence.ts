import { describeEntry } from "../../../engine/app/describe.ts";
import type { EntryText } from "../../../engine/framework/describe.ts";
import { accAddress, consAddress, valAddress } from "../../../engine/primitives/bech32.ts";
import { EMPTY, toHexUpper } from "../../../engine/primitives/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { diffStates } from "../../../engine/store/diff.ts";
import type { Divergence } from "../../../gen/lab/v1/lab_plain.ts";

const MOST = 500;

/** The keys in which the states of two nodes differ; undefined for an unknown node. */
export function divergenceOf(
  sim: Simulation,
  before: string,
  after: string,
): Divergence | undefined {
  const [a, b] = [sim.node(before), sim.node(after)];
  if (a === undefined || b === undefined) return undefined;
  const owners = ownersOf(sim);
  const all = diffStates(sim.stateOf(before), sim.stateOf(after)).flatMap(({ store, changes }) =>
    changes.map((change) => ({ store, ...change })),
  );
  return {
    beforeHeight: a.height,
    afterHeight: b.height,
    beforeAppHash: toHexUpper(a.appHash),
    afterAppHash: toHexUpper(b.appHash),
    differences: all.slice(0, MOST).map(({ store, key, ...change }) => {
      const textOf = (node: string, value: Uint8Array | undefined): EntryText | undefined =>
        value && describeEntry(sim.appOf(node), store, key, value);
      const texts = [textOf(before, change.before), textOf(after, change.after)];
      return {
        store,
        key: toHexUpper(key),
        name: nameOf(
          texts.find((text) => text !== undefined),
          owners,
        ),
        before: toHexUpper(change.before ?? EMPTY),
        after: toHexUpper(change.after ?? EMPTY),
        beforeText: texts[0]?.value ?? "",
        afterText: texts[1]?.value ?? "",
      };
    }),
    total: all.length,
  };
}

/** Describes a store entry, with names for addresses. */
const nameOf = (text: EntryText | undefined, owners: ReadonlyMap<string, string>): string =>
  text === undefined
    ? ""
    : [text.kind, ...text.of.map((part) => owners.get(part) ?? part)]
        .filter((part) => part !== "")
        .join(" ");

/** Names of accounts and validators by their addresses in bech32. */
function ownersOf(sim: Simulation): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const name of sim.accountNames()) {
    const address = sim.account(name);
    if (address === undefined) continue;
    owners.set(accAddress(address), name);
    owners.set(valAddress(address), name);
  }
  for (const { consensusAddress, name } of sim.nodes()) {
    const address = consAddress(consensusAddress);
    if (!owners.has(address)) owners.set(address, name);
  }
  return owners;
}
