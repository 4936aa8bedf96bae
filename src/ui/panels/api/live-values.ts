/** Suggestions for request fields from the running chain. */
import type { Client } from "../../../client/client.ts";
import type { Endpoint, MessageType } from "../../../gen/endpoints.ts";
import type { Frame } from "../../store/types.ts";

export interface LiveValue {
  readonly value: string;
  /** Display name, for a value that is not self-explanatory. */
  readonly label?: string;
}

export type LiveValues = Readonly<Record<string, readonly LiveValue[]>>;

/** Maximum values suggested for one field. */
const MOST = 50;

type Source = (chain: Frame, client: Client) => Offered | Promise<Offered>;
type Offered = readonly (LiveValue | string)[];

const accounts: Source = ({ accounts: named, validators }) => [
  ...named.map(({ name, address }) => ({ value: address, label: name })),
  ...validators.map(({ name, accountAddress }) => ({ value: accountAddress, label: name })),
];
/** Accounts that vote and delegate come first. */
const delegators: Source = (...requested) => [...(accounts(...requested) as Offered)].reverse();
const operators: Source = ({ validators }) =>
  validators.map(({ name, operatorAddress }) => ({ value: operatorAddress, label: name }));
const others: Source = (...requested) => [...(operators(...requested) as Offered)].reverse();
const heights: Source = ({ chain }) => [String(chain?.height ?? 1)];
const worlds: Source = async (_, { lab }) => {
  const { worlds: all } = await lab.listWorlds({});
  return all.map(({ id, name }) => ({ value: id, label: name }));
};
const nodes: Source = ({ nodes: all }) => all.map(({ name }) => name);
const proposals: Source = ({ proposals: all }) =>
  all.map(({ id, title }) => ({ value: String(id), label: title })).reverse();
const denoms: Source = async ({ chain }, client) => {
  const name = "chain.bank.v1beta1.Query/TotalSupply";
  const { supply } = await client.query<{ supply: readonly { denom: string }[] }>(name);
  return [...new Set([chain?.denom ?? "", ...supply.map(({ denom }) => denom)])].filter(Boolean);
};
const AMOUNT = "1000000";
const coins: Source = ({ chain }) => [json([{ denom: chain?.denom ?? "", amount: AMOUNT }])];
/** An equivocation of each validator at the newest height, as a client would build it. */
const equivocations: Source = async ({ chain, validators }, { lab }) => {
  const height = chain?.height ?? 1;
  const { time } = await lab.getBlock({ height });
  return validators
    .filter(({ power, tombstoned }) => power > 0 && !tombstoned)
    .map(({ name, power, consensusAddress }) => ({
      label: name,
      value: json({
        "@type": "/chain.evidence.v1beta1.Equivocation",
        height: String(height),
        time,
        power: String(power),
        consensus_address: consensusAddress,
      }),
    }));
};
const json = (value: unknown): string => JSON.stringify(value, null, 1);
const STORE = "staking";
const stores: Source = async (_, { lab }) => {
  const { stores: all } = await lab.getStores({});
  return [STORE, ...all.map(({ name }) => name).filter((name) => name !== STORE)];
};
/** Keys of the default store. */
const keys: Source = async (_, { lab }) => {
  const { keys: all } = await lab.getStoreKeys({ store: STORE });
  return all.map(({ key, name }) => ({ value: key, label: name }));
};
const txHashes = async (client: Client): Promise<Offered> => {
  const name = "chain.tx.v1beta1.Service/GetTxsEvent";
  const request = { query: "tx.height>0", order_by: "ORDER_BY_DESC", limit: String(MOST) };
  const { tx_responses: found } = await client.query<{
    tx_responses: readonly { txhash: string; height: string }[];
  }>(name, request);
  return found.map(({ txhash, height }) => ({ value: txhash, label: `in block ${height}` }));
};

/** By field name; an entry for a specific request takes precedence. */
const SOURCES: Readonly<Record<string, Source>> = {
  address: accounts,
  address_string: accounts,
  address_bytes: async ({ accounts: [first] }, client) => {
    const name = "chain.auth.v1beta1.Query/AddressStringToBytes";
    const request = { address_string: first?.address };
    const { address_bytes: bytes } = await client.query<{ address_bytes: string }>(name, request);
    return [{ value: bytes, label: first?.name ?? "" }];
  },
  from_address: accounts,
  to_address: delegators,
  submitter: accounts,
  proposer: accounts,
  voter: delegators,
  depositor: delegators,
  delegator_addr: delegators,
  delegator_address: delegators,
  validator_address: operators,
  validator_src_address: operators,
  validator_dst_address: others,
  amount: coins,
  initial_deposit: coins,
  "amount.denom": denoms,
  "amount.amount": () => [AMOUNT],
  "value.denom": denoms,
  "value.amount": () => [AMOUNT],
  evidence: equivocations,
  validator_addr: operators,
  src_validator_addr: operators,
  dst_validator_addr: others,
  cons_address: ({ validators }) =>
    validators.map(({ name, consensusAddress }) => ({ value: consensusAddress, label: name })),
  validator: ({ validators }) => validators.map(({ name }) => name),
  node: nodes,
  before: nodes,
  after: (...requested) => [...(nodes(...requested) as Offered)].slice(1),
  "lab.v1.Lab/GetSidecar node": (_, { lab }) =>
    lab.getSidecars({}).then(({ lines }) => lines.map(({ node }) => node)),
  "lab.v1.Lab/GetNodeFile path": async ({ nodes: [first] }, { lab }) => {
    const { files } = await lab.getNodeFiles({ node: first?.name ?? "" });
    return files.map(({ path }) => path);
  },
  "chain.base.tendermint.v1beta1.Service/ABCIQuery path": () => [
    "/chain.bank.v1beta1.Query/TotalSupply",
  ],
  height: heights,
  "a.height": heights,
  "b.height": ({ chain }) => [String(Math.max(1, (chain?.height ?? 1) - 1))],
  "a.world": worlds,
  "b.world": worlds,
  "side.height": heights,
  "side.world": worlds,
  store: stores,
  key: keys,
  "lab.v1.Lab/GetStateDiff before": ({ chain }) => [String(Math.max(1, (chain?.height ?? 1) - 1))],
  "lab.v1.Lab/GetStateDiff after": heights,
  last: heights,
  last_height: heights,
  proposal_id: proposals,
  proposal: proposals,
  params_type: () => ["voting", "deposit", "tallying"],
  status: () => ["BOND_STATUS_BONDED", "BOND_STATUS_UNBONDING", "BOND_STATUS_UNBONDED"],
  denom: denoms,
  denoms,
  module_name: ({ moduleVersions }) => moduleVersions.map(({ name }) => name),
  id: () => ["0"],
  "lab.v1.Lab/GetEvidencePiece id": async (_, { lab }) => {
    const { lines } = await lab.getEvidence({});
    return lines.map(({ id, validators }) => ({ value: id, label: validators.join(", ") }));
  },
  "chain.evidence.v1beta1.Query/Evidence evidence_hash": ({ evidence }) =>
    evidence.map(({ hash, validator }) => ({ value: hash, label: validator })),
  "lab.v1.Lab/GetBlock hash": async ({ chain }, { lab }) => {
    const { hash, height } = await lab.getBlock({ height: chain?.height ?? 1 });
    return [{ value: hash, label: `block ${height}` }];
  },
  "chain.tx.v1beta1.Service/GetTx hash": (_, client) => txHashes(client),
  "chain.auth.v1beta1.Query/ModuleAccountByName name": ({ accounts: all }) =>
    all.filter(({ module }) => module).map(({ name }) => name),
  name: ({ applied }) => applied.map(({ name }) => name).reverse(),
  query: ({ chain }) => [`tx.height=${chain?.height ?? 1}`, "tx.height>0"],
};

/**
 * Returns the values that fit each field now, the most useful first. A field without an entry has
 * no value on the chain, or only the reader can supply one.
 */
export async function liveValues(
  client: Client,
  frame: Frame,
  { name, fields }: Pick<Endpoint | MessageType, "name" | "fields">,
): Promise<LiveValues> {
  const offered = fields.map(async (field): Promise<[string, readonly LiveValue[]]> => {
    if (field.type === "bool") return [field.name, [{ value: "true" }, { value: "false" }]];
    if (field.values) return [field.name, field.values.slice(1).map((value) => ({ value }))];
    const source = SOURCES[`${name} ${field.name}`] ?? SOURCES[field.name];
    // If a query fails, the field offers no values.
    const values = await Promise.resolve(source?.(frame, client) ?? []).catch(() => []);
    const shown = values.slice(0, MOST);
    return [field.name, shown.map((one) => (typeof one === "string" ? { value: one } : one))];
  });
  const known = await Promise.all(offered);
  return Object.fromEntries(known.filter(([, values]) => values.length > 0));
}
