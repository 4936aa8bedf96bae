/** Compares two worlds, each at the end of a height. Pure: the same two produce the same answer. */
import { diffStates } from "../../../engine/store/diff.ts";
import type {
  ComparedBlocks,
  ComparedEvent,
  ComparedField,
  ComparedThing,
  ComparedTx,
  ComparedValidator,
  WorldComparison,
} from "../../../gen/lab/v1/compare_plain.ts";
import type { PlanView } from "../../../gen/lab/v1/lab_plain.ts";
import type { StateDiff } from "../../../gen/lab/v1/state_plain.ts";
import { changesOf, keyDifference } from "../explorer/divergence.ts";
import type { WorldFrame } from "../frame/frame.ts";
import { eventText, without } from "./block-content.ts";
import type { ComparedHeight } from "./compared-height.ts";

/** Default limit for keys and events in an answer. */
const LIMIT = 200;

/** Compares two worlds at their heights. @param limit maximum number of keys and of events. */
export function compareHeights(
  a: ComparedHeight,
  b: ComparedHeight,
  limit = LIMIT,
): Pick<WorldComparison, "blocks" | "things" | "state"> {
  return {
    blocks: comparedBlocks(a, b, limit),
    things: [
      ...things("validator", a.frame.validators, b.frame.validators, VALIDATOR),
      ...things("node", a.frame.nodes, b.frame.nodes, NODE),
      ...things("proposal", proposals(a.frame), proposals(b.frame), PROPOSAL),
    ],
    state: comparedState(a, b, limit),
  };
}

/** Maximum validators in a picture. */
const DRAWN = 100;

/** The validators of a world, each with its most important state. */
export function comparedValidators({ validators, nodes }: WorldFrame): ComparedValidator[] {
  if (validators.length > DRAWN) return [];
  const byValidator = new Map(nodes.map((node) => [node.validator, node]));
  return validators.map(({ name, power, jailed, tombstoned }) => {
    const { process = "running", binary = "" } = byValidator.get(name) ?? {};
    return {
      name,
      power,
      binary,
      state: tombstoned ? "tombstoned" : jailed ? "jailed" : process,
    };
  });
}

function comparedBlocks(a: ComparedHeight, b: ComparedHeight, limit: number): ComparedBlocks {
  const [valuesA, valuesB] = [values(a), values(b)];
  const events = comparedEvents(a, b);
  return {
    fields: Object.entries(valuesA).map(([name, value]) => ({
      name,
      a: value,
      b: valuesB[name as keyof typeof valuesB],
    })),
    txs: comparedTxs(a, b),
    aTxs: a.block?.txs.length ?? 0,
    bTxs: b.block?.txs.length ?? 0,
    aEvents: a.block?.events.length ?? 0,
    bEvents: b.block?.events.length ?? 0,
    events: events.slice(0, limit),
    differingEvents: events.length,
  };
}

/** The values of a block, and of the chain after it, by name. */
function values({ block, appHash, validatorsHash, frame }: ComparedHeight) {
  const { chain, chainStatus, plan } = frame;
  const { votingPower = 0, totalPower = 0, neededPower = 0 } = chainStatus ?? {};
  return {
    block_hash: block?.hash ?? "",
    app_hash: appHash,
    validators_hash: validatorsHash,
    time: block?.time ?? "",
    proposer: block?.proposer ?? "",
    round: block === undefined ? "" : String(block.round),
    binary: block?.binary ?? "",
    evidence: block?.evidence.join(", ") ?? "",
    absent_votes: block?.absent.join(", ") ?? "",
    state: chainStatus?.state ?? "",
    power: `${votingPower} of ${totalPower}, needs ${neededPower}`,
    plan: planText(plan),
    applied_upgrades: frame.applied.map((each) => planText(each)).join(", "),
    module_versions: frame.moduleVersions
      .map(({ name, version }) => `${name} ${version}`)
      .join(", "),
    evidence_stored: String(frame.evidence.length),
    supply: chain?.supply ?? "",
    slashed: chain?.burned ?? "",
  };
}

const planText = (plan: PlanView | undefined): string =>
  plan === undefined ? "" : `${plan.name} at ${plan.height}`;

function comparedTxs(a: ComparedHeight, b: ComparedHeight): ComparedTx[] {
  const [inA, inB] = [a.block?.txs ?? [], b.block?.txs ?? []];
  const byHash = (txs: typeof inA) => new Map(txs.map((tx) => [tx.hash, tx]));
  const [knownA, knownB] = [byHash(inA), byHash(inB)];
  return [...new Map([...knownA, ...knownB]).values()].flatMap(({ hash, signer, messages }) => {
    const [ofA, ofB] = [knownA, knownB].map((known) => known.get(hash)?.outcome ?? "") as [
      string,
      string,
    ];
    return ofA === ofB ? [] : [{ hash, signer, messages: [...messages], a: ofA, b: ofB }];
  });
}

function comparedEvents(a: ComparedHeight, b: ComparedHeight): ComparedEvent[] {
  const [inA, inB] = [a, b].map(({ block }) => (block?.events ?? []).map(eventText)) as [
    string[],
    string[],
  ];
  const count = (list: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
  };
  const [ofA, ofB] = [count(inA), count(inB)];
  const differing = new Set([...without(inA, inB), ...without(inB, inA)]);
  return [...differing].map((text) => {
    const [type = "", ...attributes] = text.split("\n");
    return { type, attributes, a: ofA.get(text) ?? 0, b: ofB.get(text) ?? 0 };
  });
}

/** The compared fields of each kind, by their names in answers. */
const VALIDATOR = {
  power: "power",
  bond: "bond",
  jailed: "jailed",
  tombstoned: "tombstoned",
  tokens: "tokens",
  missed_blocks: "missedBlocks",
  burned: "burned",
} as const;
const NODE = {
  process: "process",
  binary: "binary",
  staged: "staged",
  height: "height",
  app_hash: "appHash",
  reason: "reason",
  partition: "partition",
} as const;
const PROPOSAL = {
  title: "title",
  status: "status",
  yes: "yes",
  no: "no",
  abstain: "abstain",
  veto: "veto",
  deposit: "deposit",
  plan_name: "planName",
  plan_height: "planHeight",
  voting_end: "votingEnd",
} as const;

const proposals = ({ proposals: list }: WorldFrame) =>
  list.map((proposal) => ({ ...proposal, name: String(proposal.id) }));

/** Objects that differ, by name: those of A, then those that only B has. */
function things<K extends string, T extends { readonly name: string } & Record<K, unknown>>(
  kind: string,
  ofA: readonly T[],
  ofB: readonly T[],
  fields: Readonly<Record<string, K>>,
): ComparedThing[] {
  const [byName, others] = [ofA, ofB].map((list) => new Map(list.map((one) => [one.name, one])));
  return [...new Set([...ofA, ...ofB].map(({ name }) => name))].flatMap((name) => {
    const [a, b] = [byName?.get(name), others?.get(name)];
    const compared: ComparedField[] = Object.entries(fields)
      .map(([field, key]) => ({
        name: field,
        a: a === undefined ? "" : String(a[key]),
        b: b === undefined ? "" : String(b[key]),
      }))
      .filter((field) => field.a !== field.b);
    if (compared.length === 0) return [];
    return [{ kind, name, fields: compared, onlyA: b === undefined, onlyB: a === undefined }];
  });
}

function comparedState(a: ComparedHeight, b: ComparedHeight, limit: number): StateDiff {
  const diffs = diffStates(a.state, b.state);
  const all = changesOf(diffs);
  return {
    beforeHeight: a.height,
    afterHeight: b.height,
    beforeAppHash: a.appHash,
    afterAppHash: b.appHash,
    differences: all
      .slice(0, limit)
      .map((change) => keyDifference(change, a.readEntry, b.readEntry)),
    total: all.length,
    stores: diffs.map(({ store, changes }) => ({ store, changes: changes.length })),
  };
}
