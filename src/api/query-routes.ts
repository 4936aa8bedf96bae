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
  /** POST takes the request from the body. */
  readonly verb: "GET" | "POST";
}

const servicesNamed = (...names: readonly string[]): readonly DescService[] =>
  [...registry]
    .filter((desc): desc is DescService => desc.kind === "service" && names.includes(desc.name))
    .sort((a, b) => (a.typeName < b.typeName ? -1 : 1));

/** The Query services of all modules, by name. */
export const queryServices: readonly DescService[] = servicesNamed("Query");

/** Every method that has a path: all queries of the modules, those of the lab, and the services about the node. */
export const QUERY_ROUTES: readonly QueryRoute[] = [
  ...queryServices,
  Lab,
  ...servicesNamed("Service"),
]
  .flatMap(({ methods }) => methods)
  .flatMap((method): readonly QueryRoute[] => {
    const rule = getOption(method, http);
    const name = `${method.parent.typeName}/${method.name}`;
    const patterns = [rule, ...rule.additionalBindings].map(({ pattern }) => pattern);
    const paths = (verb: "get" | "post") =>
      patterns.flatMap((pattern) => (pattern.case === verb ? [pattern.value] : []));
    const [got, posted] = [paths("get"), paths("post")];
    if (got.length > 0) return [{ method, name, paths: got, verb: "GET" }];
    return posted.length > 0 ? [{ method, name, paths: posted, verb: "POST" }] : [];
  });
