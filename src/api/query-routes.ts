import { type DescMethod, type DescService, getOption } from "@bufbuild/protobuf";
import { http } from "../gen/google/api/annotations_pb.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { registry } from "../gen/registry.ts";

interface QueryRoute {
  readonly method: DescMethod;
  /** e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`. */
  readonly name: string;
  /** Path templates that lead to it, the usual one first. */
  readonly paths: readonly string[];
}

const isQueryService = (desc: { kind: string; name: string }): desc is DescService =>
  desc.kind === "service" && desc.name === "Query";

/** The Query services of all modules, by name. */
export const queryServices: readonly DescService[] = [...registry]
  .filter(isQueryService)
  .sort((a, b) => (a.typeName < b.typeName ? -1 : 1));

/** Every method that has a path: all queries of the modules, and those of the lab. */
export const QUERY_ROUTES: readonly QueryRoute[] = [...queryServices, Lab]
  .flatMap(({ methods }) => methods)
  .flatMap((method) => {
    const rule = getOption(method, http);
    const paths = [rule, ...rule.additionalBindings].flatMap(({ pattern }) =>
      pattern.case === "get" ? [pattern.value] : [],
    );
    return paths.length === 0
      ? []
      : [{ method, name: `${method.parent.typeName}/${method.name}`, paths }];
  });
