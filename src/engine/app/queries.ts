/** Queries of an application. Running a chain needs none of them, so they are loaded separately. */
import type { Message } from "@bufbuild/protobuf";
import type { Context } from "../framework/context.ts";
import { STATUS, StatusError } from "../framework/errors.ts";
import { type Route, ServiceRouter } from "../framework/router.ts";
import { registerQueries as bankQueries } from "../modules/bank/query-server.ts";
import { registerQueries as evidenceQueries } from "../modules/evidence/query-server.ts";
import { registerQueries as govQueries } from "../modules/gov/query-server.ts";
import { registerQueries as slashingQueries } from "../modules/slashing/query-server.ts";
import { registerQueries as stakingQueries } from "../modules/staking/query-server.ts";
import { registerQueries as upgradeQueries } from "../modules/upgrade/query-server.ts";
import type { App } from "./app.ts";

const routers = new WeakMap<App, ServiceRouter>();

function routerOf(app: App): ServiceRouter {
  const known = routers.get(app);
  if (known !== undefined) return known;
  const router = new ServiceRouter();
  const { bank, staking, slashing, gov, upgrade } = app.keepers;
  bankQueries(router, bank);
  stakingQueries(router, staking);
  slashingQueries(router, slashing);
  govQueries(router, gov);
  evidenceQueries(router);
  upgradeQueries(router, upgrade);
  routers.set(app, router);
  return router;
}

/**
 * Route of a query, e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`; undefined if the application
 * has no such query.
 */
export const queryRoute = (app: App, name: string): Route | undefined => routerOf(app).query(name);

/** Answers a query on the state in a context. Throws StatusError or ChainError. */
export function answerQuery(app: App, ctx: Context, name: string, request: Message): Message {
  const route = queryRoute(app, name);
  if (route === undefined) {
    throw new StatusError(STATUS.unimplemented, `unknown query path: ${name}`);
  }
  return route.invoke(ctx, request);
}
