import { Query } from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import type { Context } from "../../framework/context.ts";
import type { VersionMap } from "../../framework/migrations.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import { ErrNoModuleVersionFound } from "./errors.ts";
import type { UpgradeKeeper } from "./keeper.ts";
import { MODULE_NAME } from "./types.ts";

/** Only the version of an unknown module is NotFound (rules/upgrade 8.1). */
const queryServer = (keeper: UpgradeKeeper): ServiceImpl<typeof Query> => ({
  currentPlan(ctx) {
    const plan = keeper.getUpgradePlan(ctx);
    return plan === undefined ? {} : { plan };
  },

  appliedPlan: (ctx, { name }) => ({ height: BigInt(keeper.getDoneHeight(ctx, name)) }),

  upgradedConsensusState: () => ({}),

  moduleVersions: (ctx, { moduleName }) => ({
    moduleVersions: Array.from(versionsOf(keeper, ctx, moduleName), ([name, version]) => ({
      name,
      version: BigInt(version),
    })),
  }),

  authority: () => ({ address: keeper.authority }),
});

export const registerQueries = (router: ServiceRouter, keeper: UpgradeKeeper): void =>
  router.registerQuery(MODULE_NAME, Query, queryServer(keeper));

/** All modules, or the named one. */
function versionsOf(keeper: UpgradeKeeper, ctx: Context, name: string): VersionMap {
  if (name === "") return keeper.getModuleVersionMap(ctx);
  const version = keeper.getModuleVersion(ctx, name);
  if (version === undefined) {
    throw ErrNoModuleVersionFound.wrap(`x/upgrade: QueryModuleVersions module ${name} not found`);
  }
  return new Map([[name, version]]);
}
