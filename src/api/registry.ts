/** Every message, enum and service of the chain, by name: for Any and for finding queries. */
import {
  createRegistry,
  type DescMessage,
  type DescService,
  type Registry,
} from "@bufbuild/protobuf";
import { file_chain_bank_v1beta1_bank } from "../gen/chain/bank/v1beta1/bank_pb.ts";
import { file_chain_bank_v1beta1_query } from "../gen/chain/bank/v1beta1/query_pb.ts";
import { file_chain_bank_v1beta1_tx } from "../gen/chain/bank/v1beta1/tx_pb.ts";
import { file_chain_base_query_v1beta1_pagination } from "../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { file_chain_base_v1beta1_annotations } from "../gen/chain/base/v1beta1/annotations_pb.ts";
import { file_chain_base_v1beta1_coin } from "../gen/chain/base/v1beta1/coin_pb.ts";
import { file_chain_consensus_v1_types } from "../gen/chain/consensus/v1/types_pb.ts";
import { file_chain_crypto_ed25519_keys } from "../gen/chain/crypto/ed25519/keys_pb.ts";
import { file_chain_evidence_v1beta1_evidence } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { file_chain_evidence_v1beta1_genesis } from "../gen/chain/evidence/v1beta1/genesis_pb.ts";
import { file_chain_evidence_v1beta1_query } from "../gen/chain/evidence/v1beta1/query_pb.ts";
import { file_chain_evidence_v1beta1_tx } from "../gen/chain/evidence/v1beta1/tx_pb.ts";
import { file_chain_gov_v1_gov } from "../gen/chain/gov/v1/gov_pb.ts";
import { file_chain_gov_v1_query } from "../gen/chain/gov/v1/query_pb.ts";
import { file_chain_gov_v1_tx } from "../gen/chain/gov/v1/tx_pb.ts";
import { file_chain_slashing_v1beta1_query } from "../gen/chain/slashing/v1beta1/query_pb.ts";
import { file_chain_slashing_v1beta1_slashing } from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { file_chain_slashing_v1beta1_tx } from "../gen/chain/slashing/v1beta1/tx_pb.ts";
import { file_chain_staking_v1beta1_query } from "../gen/chain/staking/v1beta1/query_pb.ts";
import { file_chain_staking_v1beta1_staking } from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { file_chain_staking_v1beta1_tx } from "../gen/chain/staking/v1beta1/tx_pb.ts";
import { file_chain_tx_v1beta1_tx } from "../gen/chain/tx/v1beta1/tx_pb.ts";
import { file_chain_upgrade_v1beta1_query } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { file_chain_upgrade_v1beta1_tx } from "../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { file_chain_upgrade_v1beta1_upgrade } from "../gen/chain/upgrade/v1beta1/upgrade_pb.ts";

const FILES = [
  file_chain_bank_v1beta1_bank,
  file_chain_bank_v1beta1_query,
  file_chain_bank_v1beta1_tx,
  file_chain_base_query_v1beta1_pagination,
  file_chain_base_v1beta1_annotations,
  file_chain_base_v1beta1_coin,
  file_chain_consensus_v1_types,
  file_chain_crypto_ed25519_keys,
  file_chain_evidence_v1beta1_evidence,
  file_chain_evidence_v1beta1_genesis,
  file_chain_evidence_v1beta1_query,
  file_chain_evidence_v1beta1_tx,
  file_chain_gov_v1_gov,
  file_chain_gov_v1_query,
  file_chain_gov_v1_tx,
  file_chain_slashing_v1beta1_query,
  file_chain_slashing_v1beta1_slashing,
  file_chain_slashing_v1beta1_tx,
  file_chain_staking_v1beta1_query,
  file_chain_staking_v1beta1_staking,
  file_chain_staking_v1beta1_tx,
  file_chain_tx_v1beta1_tx,
  file_chain_upgrade_v1beta1_query,
  file_chain_upgrade_v1beta1_tx,
  file_chain_upgrade_v1beta1_upgrade,
];

export const registry: Registry = createRegistry(...FILES);

/** The Query services of all modules, in the order of their files. */
export const queryServices: readonly DescService[] = FILES.flatMap((file) =>
  file.services.filter((service) => service.name === "Query"),
);

/** The message behind a type URL, with or without a host before its slash; undefined if unknown. */
export const messageOf = (typeUrl: string): DescMessage | undefined =>
  registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
