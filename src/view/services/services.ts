/**
 * The services other than the modules' queries: accounts, transactions and the node, by their
 * method names.
 */
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { Query as Auth } from "../../gen/chain/auth/v1beta1/query_pb.ts";
import { Service as Node } from "../../gen/chain/base/node/v1beta1/query_pb.ts";
import { Service as Blocks } from "../../gen/chain/base/tendermint/v1beta1/query_pb.ts";
import { Query as Consensus } from "../../gen/chain/consensus/v1/query_pb.ts";
import { Query as Distribution } from "../../gen/chain/distribution/v1beta1/query_pb.ts";
import { Query as Mint } from "../../gen/chain/mint/v1beta1/query_pb.ts";
import { Service as Tx } from "../../gen/chain/tx/v1beta1/service_pb.ts";
import type { Reading } from "../lab/reading.ts";
import type { QueryableChain } from "../rest.ts";
import { AUTH } from "./auth.ts";
import type { Methods } from "./methods.ts";
import { CONSENSUS, DISTRIBUTION, MINT } from "./modules-without-state.ts";
import { BLOCKS, NODE } from "./node.ts";
import { TX_SERVICE } from "./tx.ts";

type Answer = (
  sim: Simulation,
  request: Message,
  height: number | undefined,
  queries: QueryableChain,
) => MessageInitShape<DescMessage> | Reading<MessageInitShape<DescMessage>>;

function named<S extends GenService<GenServiceMethods>>(service: S, methods: Methods<S>) {
  return service.methods.map(({ name, localName }) => {
    const answer = (methods as Record<string, Answer | undefined>)[localName];
    return [`${service.typeName}/${name}`, answer ?? notImplemented(name)] as const;
  });
}

const notImplemented =
  (method: string): Answer =>
  () => {
    throw new StatusError(STATUS.unimplemented, `method ${method} not implemented`);
  };

export const SERVICES: Readonly<Record<string, Answer>> = Object.fromEntries([
  ...named(Auth, AUTH),
  ...named(Consensus, CONSENSUS),
  ...named(Distribution, DISTRIBUTION),
  ...named(Mint, MINT),
  ...named(Tx, TX_SERVICE),
  ...named(Blocks, BLOCKS),
  ...named(Node, NODE),
]);
