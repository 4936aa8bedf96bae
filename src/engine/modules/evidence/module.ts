import { Query } from "../../../gen/chain/evidence/v1beta1/query_pb.ts";
import { Msg } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { Panic } from "../../framework/errors.ts";
import type { Migration, Module } from "../../framework/module.ts";
import { beginBlock } from "./begin-block.ts";
import { evidenceGenesis } from "./genesis.ts";
import { builtInHandlers } from "./handlers.ts";
import { EvidenceKeeper } from "./keeper.ts";
import { msgServer } from "./msg-server.ts";
import type { EvidenceNeeds } from "./needs.ts";
import { queryServer } from "./query-server.ts";
import { Router } from "./router.ts";
import { MODULE_NAME } from "./types.ts";

export interface EvidenceOptions extends EvidenceNeeds {
  /** Routes whose built-in Handlers are registered; with none the keeper gets no Router. */
  readonly routes?: readonly string[];
  readonly consensusVersion?: number;
}

export function createEvidenceModule(
  options: EvidenceOptions,
): Module & { readonly keeper: EvidenceKeeper } {
  const { routes = [], consensusVersion = 1 } = options;
  const keeper = new EvidenceKeeper();
  if (routes.length > 0) keeper.setRouter(routerOf(routes, options));
  return {
    name: MODULE_NAME,
    keeper,
    consensusVersion,
    migrations: [rewriteAll(keeper)],
    genesis: evidenceGenesis(keeper),
    registerServices(router) {
      router.registerMsg(MODULE_NAME, Msg, msgServer(keeper));
      router.registerQuery(MODULE_NAME, Query, queryServer);
    },
    beginBlock: (ctx) => beginBlock(ctx, keeper, options),
  };
}

function routerOf(routes: readonly string[], needs: EvidenceNeeds): Router {
  const handlers = builtInHandlers(needs);
  const router = new Router();
  for (const route of routes) {
    const handler = handlers.get(route);
    if (handler === undefined)
      throw new Panic(`no evidence handler is built in for route ${route}`);
    router.addRoute(route, handler);
  }
  return router;
}

/** 1 → 2 writes every item anew. The format stays, so code of either version reads both. */
const rewriteAll = (keeper: EvidenceKeeper): Migration => ({
  from: 1,
  run(ctx) {
    for (const evidence of keeper.getAllEvidence(ctx)) keeper.setEvidence(ctx, evidence);
  },
});
