import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { registry } from "../gen/registry.ts";
import { QUERY_ROUTES, queryServices } from "./query-routes.ts";

test("every generated file of the chain is in the registry", () => {
  const filesOf = (root: string, folder: URL) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("_pb.ts"))
      .map((file) => `${root}/${file.replaceAll("\\", "/").replace(/_pb\.ts$/, "")}`);
  const generated = [
    ...filesOf("chain", new URL("../gen/chain", import.meta.url)),
    ...filesOf("tendermint", new URL("../gen/tendermint", import.meta.url)),
  ];
  const held = [...registry].map((desc) => ("file" in desc ? desc.file.name : ""));
  expect([...new Set(held)].sort()).toEqual(generated.sort());
});

test("every query of a module has a path, and no two have the same", () => {
  const paths = QUERY_ROUTES.flatMap(({ paths, verb }) => paths.map((path) => `${verb} ${path}`));
  expect(new Set(paths).size).toBe(paths.length);
  const routed = new Set(QUERY_ROUTES.map(({ method }) => method));
  const queries = queryServices.flatMap(({ methods }) => methods);
  expect(queries.filter((method) => !routed.has(method))).toEqual([]);
  expect(queries.length).toBeGreaterThan(0);
});
