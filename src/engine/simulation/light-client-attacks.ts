/** Attacks on light clients. No world needs them before one is ordered: they load apart. */
import { reportAttack } from "../network/byzantine/light-client-attack.ts";
import type { LightClientAttackCommand } from "./command.ts";
import { acceptAttacksBy } from "./commands.ts";
import type { CommandResult } from "./views.ts";
import type { World } from "./world.ts";

/** Has worlds take commands that attack a light client. */
export const acceptLightClientAttacks = (): void => acceptAttacksBy(attack);

function attack(
  world: World,
  { kind, by, height = world.network.ledger.committed }: LightClientAttackCommand,
): CommandResult {
  reportAttack(world.network.attackable, { kind, by: by.map((name) => world.node(name)), height });
  return {};
}
