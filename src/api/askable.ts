/** Everything that can be asked by a path or by name: the modules' queries, and what the lab has a path for. */
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { http } from "../gen/google/api/annotations_pb.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { queryServices } from "./registry.ts";

interface Askable {
  readonly method: DescMethod;
  /** e.g. `chain.upgrade.v1beta1.Query/CurrentPlan`. */
  readonly name: string;
  /** Path templates that lead to it, the usual one first. */
  readonly paths: readonly string[];
}

export const ASKABLE: readonly Askable[] = [...queryServices, Lab]
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
