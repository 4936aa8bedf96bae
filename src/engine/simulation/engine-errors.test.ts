import { describe, expect, test } from "vitest";
import { SECOND } from "../../base/time.ts";
import { App, blockInfoAt, PLAIN_NODE } from "../app/app.ts";
import { V1 } from "../app/binary.ts";
import { CommandError, Panic, plainError } from "../framework/errors.ts";
import { FaultScheduler } from "./fault-scheduler.ts";
import { genesisMessages } from "./genesis/genesis.ts";
import { consensusKeyOf } from "./genesis/world-spec.ts";
import { Simulation } from "./simulation.ts";
import { worldSpec } from "./testing.ts";
import { chainConfigOf, World } from "./world.ts";

const RECORD = {
  timeAt: () => undefined,
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
};

describe("what a module throws while a block is executed", () => {
  const spec = worldSpec();
  const app = new App(V1, chainConfigOf(spec));
  const genesis = genesisMessages(spec, (name) => consensusKeyOf(name, spec.seed).publicKey);
  const { state } = app.initChain(blockInfoAt(spec.chainId, 0, spec.genesisTime), genesis, RECORD);
  /** Executes block 1; reading its misbehavior throws this error in the evidence module. */
  const execute = (error: Error) => {
    const place = blockInfoAt(spec.chainId, 1, spec.genesisTime + 5n * SECOND);
    const get = () => {
      throw error;
    };
    const block = Object.defineProperty({ ...place, txs: [] }, "misbehavior", { get });
    return app.finalizeBlock(state, block, PLAIN_NODE, RECORD);
  };

  test.each([plainError("boom"), new Panic("boom"), new Error("boom")])(
    "halts the node if it was thrown on purpose: %s",
    (error) => {
      expect(execute(error)).toMatchObject({
        kind: "halted",
        cause: { kind: "application_error", error: "boom" },
      });
    },
  );

  test.each([new TypeError("a bug"), new RangeError("a bug"), new SyntaxError("a bug")])(
    "is thrown on if it is a bug of the simulator: %s",
    (error) => {
      expect(() => execute(error)).toThrow(error);
    },
  );
});

describe("a planned fault that cannot begin at its height", () => {
  const planned = () => {
    const world = new World(worldSpec(), () => {});
    const scheduler = new FaultScheduler(world, () => undefined);
    const node = world.node("val-1");
    scheduler.inject({ type: "fault", kind: "stop", node: "val-1", at: 2 });
    world.chains.advance();
    return { world, scheduler, node };
  };

  test("waits if that makes no sense there", () => {
    const { scheduler, node } = planned();
    node.stop();
    scheduler.beforeRound();
    expect(node.process).toBe("stopped");
  });

  test("fails the round if that is a bug of the simulator", () => {
    const { world, scheduler } = planned();
    world.sidecars.stop = () => {
      throw new TypeError("a bug");
    };
    expect(() => scheduler.beforeRound()).toThrow(new TypeError("a bug"));
  });
});

describe("a command", () => {
  test("that fails by a bug is in the journal: it may have changed the world", () => {
    const sim = Simulation.create(worldSpec());
    const command = {
      type: "double_sign" as const,
      get node(): string {
        throw new TypeError("a bug");
      },
    };
    expect(() => sim.apply(command)).toThrow(new TypeError("a bug"));
    expect(sim.journal).toHaveLength(1);
    expect(sim.revision).toBe(1);
  });

  test("that is refused is not", () => {
    const sim = Simulation.create(worldSpec());
    expect(() => sim.apply({ type: "double_sign", node: "nobody" })).toThrow(CommandError);
    expect(sim.journal).toEqual([]);
    expect(sim.revision).toBe(0);
  });
});
