import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { ENDPOINTS } from "../gen/endpoints.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { registry } from "../gen/registry.ts";

interface QueryRoute {
  readonly method: DescMethod;
  /** e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`. */
  readonly name: string;
  /** Its path templates, the usual one first. */
  readonly paths: readonly string[];
  /** POST has the request in the body. */
  readonly verb: "GET" | "POST";
}

/** The Query services of all modules, by name. */
export const queryServices: readonly DescService[] = [...registry]
  .filter((desc): desc is DescService => desc.kind === "service" && desc.name === "Query")
  .sort((a, b) => (a.typeName < b.typeName ? -1 : 1));

/**
 * Every method with a path: all queries of the modules, those of the lab, and the node's services.
 */
export const QUERY_ROUTES: readonly QueryRoute[] = ENDPOINTS.map(({ name, paths, verb }) => ({
  method: methodNamed(name),
  name,
  paths,
  verb,
}));

function methodNamed(name: string): DescMethod {
  const [service = "", method] = name.split("/");
  const { methods } = service === Lab.typeName ? Lab : (registry.getService(service) ?? Lab);
  const found = methods.find((one) => one.name === method);
  if (found === undefined) throw new Error(`there is no method ${name}`);
  return found;
}
