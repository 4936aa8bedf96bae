import { expect, test } from "vitest";
import { QUERY_ROUTES } from "../view/query-routes.ts";
import { openApi, openApiPage } from "./openapi.ts";

const document = openApi("1.2.3") as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
};

test("every path of REST is described, and every type that is named is there", () => {
  const paths = QUERY_ROUTES.flatMap((route) =>
    route.paths.map((path) => path.replace("=**}", "}")),
  );
  expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(paths));
  const named = JSON.stringify(document).match(/(?<=#\/components\/schemas\/)[\w.]+/g) ?? [];
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([...new Set(named)]),
  );
});

test("a query has its parameters, pagination among them, and its answer's form", () => {
  const { get } = document.paths["/chain/evidence/v1beta1/evidence"] ?? {};
  expect(get).toMatchObject({
    operationId: "chain.evidence.v1beta1.Query/AllEvidence",
    parameters: expect.arrayContaining([
      expect.objectContaining({ name: "pagination.limit", in: "query" }),
      expect.objectContaining({ name: "x-cosmos-block-height", in: "header" }),
    ]),
  });
  const byHash =
    document.paths["/chain/evidence/v1beta1/evidence/{evidence_hash}"]?.get?.parameters;
  expect(byHash).toEqual(
    expect.arrayContaining([
      { name: "evidence_hash", in: "path", required: true, schema: { type: "string" } },
    ]),
  );
  expect(document.components.schemas["chain.bank.v1beta1.QueryTotalSupplyResponse"]).toMatchObject({
    properties: { supply: { type: "array" } },
  });
});

test("a parameter that takes several values is a list", () => {
  const { get } = document.paths["/chain/tx/v1beta1/txs"] ?? {};
  expect(get?.parameters).toContainEqual({
    name: "events",
    in: "query",
    schema: { type: "array", items: { type: "string" } },
  });
});

test("the played world as a scenario has its path, too", () => {
  const { get } = document.paths["/lab/v1/scenario"] ?? {};
  expect(get).toMatchObject({ operationId: "lab.v1.Lab/RecordScenario" });
  const answer = document.components.schemas["lab.v1.RecordedScenario"];
  expect(answer).toMatchObject({ properties: { text: { type: "string" } } });
});

test("two worlds are compared by paths, each side by its world and height", () => {
  for (const [path, name] of [
    ["/lab/v1/compare", "CompareWorlds"],
    ["/lab/v1/difference", "FindDifference"],
  ] as const) {
    const { get } = document.paths[path] ?? {};
    expect(get).toMatchObject({ operationId: `lab.v1.Lab/${name}` });
    const { parameters } = get as { parameters: readonly { readonly name: string }[] };
    const names = parameters.map((one) => one.name);
    expect(names).toEqual(expect.arrayContaining(["a.world", "a.height", "b.world", "b.height"]));
    expect(names.filter((one) => one.includes("scenario"))).toEqual([]);
  }
});

test("the page lists every query", () => {
  const page = openApiPage("1.2.3");
  for (const { name } of QUERY_ROUTES) expect(page).toContain(name);
});
