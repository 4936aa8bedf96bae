import { expect, test } from "vitest";
import { CommittedState, CommittedStore } from "../../store/committed-state.ts";
import { Simulation } from "../simulation.ts";
import { worldSpec } from "../testing.ts";
import { InvariantError } from "./holds.ts";
import { TokenBooks } from "./token-books.ts";

test("tokens that are gone from the pools while validators have them break the supply's invariant", () => {
  const sim = Simulation.create(worldSpec());
  const state = sim.state();
  const books = new TokenBooks(sim.spec.staking.bondDenom);
  books.take(state, 0);
  const stores = state.storeNames.map((name) =>
    name === "bank" ? new CommittedStore(name, undefined) : state.store(name),
  );
  expect(() => books.take(new CommittedState(stores), 1)).toThrow(InvariantError);
});
