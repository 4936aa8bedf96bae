import { Msg } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import type { Migration, Module } from "../../framework/module.ts";
import { beginBlock } from "./begin-block.ts";
import { evidenceGenesis } from "./genesis.ts";
import { builtInHandlers } from "./handlers.ts";
import { EvidenceKeeper } from "./keeper.ts";
import { msgServer } from "./msg-server.ts";
import type { EvidenceNeeds } from "./needs.ts";
import { Router } from "./router.ts";
import { scriptedHandler } from "./scripted.ts";
import { type EvidenceRegistration, MODULE_NAME } from "./types.ts";

export interface EvidenceOptions extends EvidenceNeeds {
  /**
   * Routes whose handlers are registered before the Router is sealed; without any the keeper gets
   * no Router. A route without a handler in the module or in `types` becomes a separate evidence
   * type: ScriptedEvidence with this route.
   */
  readonly routes?: readonly string[];
  /** Evidence types beyond the module's own. */
  readonly types?: readonly EvidenceRegistration[];
  readonly consensusVersion?: number;
}

export function createEvidenceModule(
  options: EvidenceOptions,
): Module & { readonly keeper: EvidenceKeeper } {
  const { routes = [], types = [], consensusVersion = 1 } = options;
  const keeper = new EvidenceKeeper();
  for (const { type } of types) keeper.codec.register(type);
  if (routes.length > 0) keeper.setRouter(routerOf(routes, types, options));
  return {
    name: MODULE_NAME,
    keeper,
    consensusVersion,
    migrations: [rewriteAll(keeper)],
    genesis: evidenceGenesis(keeper),
    registerMessages(router) {
      router.registerMsg(MODULE_NAME, Msg, msgServer(keeper));
    },
    isDue: (_, { misbehavior }) => misbehavior.length > 0,
    beginBlock: (ctx) => beginBlock(ctx, keeper, options),
  };
}

function routerOf(
  routes: readonly string[],
  types: readonly EvidenceRegistration[],
  needs: EvidenceNeeds,
): Router {
  const handlers = new Map([
    ...types.map(({ route, handler }) => [route, handler] as const),
    ...builtInHandlers(needs),
  ]);
  const router = new Router();
  for (const route of routes) router.addRoute(route, handlers.get(route) ?? scriptedHandler);
  return router;
}

/** 1 → 2 rewrites every item. The format is unchanged, so code of either version reads both. */
const rewriteAll = (keeper: EvidenceKeeper): Migration => ({
  from: 1,
  run(ctx) {
    for (const evidence of keeper.getAllEvidence(ctx)) keeper.setEvidence(ctx, evidence);
  },
});
