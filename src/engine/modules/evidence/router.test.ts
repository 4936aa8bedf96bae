import { describe, expect, test } from "vitest";
import { Panic } from "../../framework/errors.ts";
import { thrownBy } from "../../framework/testing.ts";
import { EvidenceKeeper } from "./keeper.ts";
import { Router } from "./router.ts";

const handler = (): void => {};

/** Returns the text of a panic; other errors do not count. */
function panicOf(body: () => unknown): string {
  const error = thrownBy(body);
  expect(error).toBeInstanceOf(Panic);
  return error.message;
}

describe("Router (rules/evidence 3.1)", () => {
  test("AddRoute panics once sealed, before it checks the path", () => {
    const router = new Router();
    router.seal();
    expect(panicOf(() => router.addRoute("a b", handler))).toBe(
      "router sealed; cannot register a b route handler",
    );
  });

  test.each(["", "a b", "a-b", "a_b", "a/b", "a\n", "ä"])("AddRoute panics on %j", (path) => {
    expect(panicOf(() => new Router().addRoute(path, handler))).toBe(
      "route expressions can only contain alphanumeric characters",
    );
  });

  test("AddRoute panics on a route that is there", () => {
    const router = new Router().addRoute("x1", handler);
    expect(panicOf(() => router.addRoute("x1", handler))).toBe(
      "route x1 has already been registered",
    );
  });

  test("a route without a Handler is not there, and can be registered again", () => {
    const router = new Router().addRoute("x", undefined);
    expect(router.hasRoute("x")).toBe(false);
    expect(router.addRoute("x", handler).hasRoute("x")).toBe(true);
    expect(router.getRoute("x")).toBe(handler);
  });

  test("GetRoute panics on a missing route", () => {
    expect(panicOf(() => new Router().getRoute("x"))).toBe("route does not exist for path x");
  });

  test("Seal panics the second time", () => {
    const router = new Router();
    expect(router.sealed()).toBe(false);
    router.seal();
    expect(router.sealed()).toBe(true);
    expect(panicOf(() => router.seal())).toBe("router already sealed");
  });

  test("SetRouter seals first, then panics if there is a Router already", () => {
    const keeper = new EvidenceKeeper();
    keeper.setRouter(new Router());
    const second = new Router();
    expect(panicOf(() => keeper.setRouter(second))).toBe(
      "attempting to reset router on x/evidence",
    );
    expect(second.sealed()).toBe(true);
  });
});
