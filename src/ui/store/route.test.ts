import { expect, test } from "vitest";
import { formatRoute, parseRoute } from "./route.ts";

test("a view and a selection survive the way through the address", () => {
  const route = { view: "evidence", selection: { kind: "node", id: "val/2 ü" } } as const;
  expect(parseRoute(formatRoute(route))).toEqual(route);
});

test("an address without a known kind and an id has no selection", () => {
  for (const hash of ["", "#", "#/", "#/nowhere/node/", "#/network/planet/9"]) {
    expect(parseRoute(hash).selection).toBeUndefined();
  }
});

test("a broken escape is taken as it stands", () => {
  expect(parseRoute("#/network/node/%E0%A4%A").selection?.id).toBe("%E0%A4%A");
});

test("an address that names no view is that of the first one, also with a selection added", () => {
  const { view } = parseRoute("");
  const selection = { kind: "node", id: "val-1" } as const;
  expect(formatRoute({ view, selection })).toBe("#/network/node/val-1");
});

test("an address too long to be a link is that of the first view", () => {
  expect(parseRoute(`#/network/node/${"a".repeat(10_000)}`)).toEqual(parseRoute(""));
});
