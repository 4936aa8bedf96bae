import { expect, test } from "vitest";
import { formatRoute, parseRoute } from "./route.ts";

test("a view, a selection and the presenter survive the way through the address", () => {
  const selection = { kind: "node", id: "val/2 ü" } as const;
  for (const presenting of [false, true]) {
    const route = { view: "evidence", selection, presenting };
    expect(parseRoute(formatRoute(route))).toEqual(route);
    const plain = { ...route, selection: undefined };
    expect(parseRoute(formatRoute(plain))).toEqual(plain);
  }
});

test("the presenter's address without a view is that of the first one", () => {
  for (const hash of ["#/present", "#/present/", "present"]) {
    expect(parseRoute(hash)).toEqual({ ...parseRoute(""), presenting: true });
  }
});

test("an address without a known kind and an id has no selection", () => {
  for (const [hash, unread] of [
    [""],
    ["#"],
    ["#/"],
    ["#/evidence/"],
    ["#/nowhere/node/", "node"],
    ["#/network/planet/9", "planet/9"],
    ["#/upgrades/v2", "v2"],
    ["#/evidence/toString/0", "toString/0"],
  ]) {
    expect(parseRoute(hash ?? "")).toMatchObject({ selection: undefined });
    expect(parseRoute(hash ?? "").unread).toBe(unread);
    if (unread !== undefined) expect(formatRoute(parseRoute(hash ?? ""))).toContain(`/${unread}`);
  }
});

test.each([
  ["#/evidence/00", { kind: "evidence", id: "00" }],
  ["#/governance/77", { kind: "proposal", id: "77" }],
  ["#/present/network/val-9", { kind: "node", id: "val-9" }],
])("below a view of one kind an id alone is a selection: %s", (hash, selection) => {
  expect(parseRoute(hash)).toMatchObject({ selection });
  expect(parseRoute(hash).unread).toBeUndefined();
});

test("a broken escape is taken as it stands", () => {
  expect(parseRoute("#/network/node/%E0%A4%A").selection?.id).toBe("%E0%A4%A");
});

test("an address that names no view is that of the first one, also with a selection added", () => {
  const { view } = parseRoute("");
  const selection = { kind: "node", id: "val-1" } as const;
  expect(formatRoute({ view, selection, presenting: false })).toBe("#/network/node/val-1");
});

test("an address too long to be a link is that of the first view", () => {
  expect(parseRoute(`#/network/node/${"a".repeat(10_000)}`)).toEqual(parseRoute(""));
});
