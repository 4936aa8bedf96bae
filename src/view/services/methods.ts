import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { Reading } from "../lab/reading.ts";
import type { QueryableChain } from "../rest.ts";

/** Methods of a service over a world. */
export type Methods<S> =
  S extends GenService<infer M extends GenServiceMethods>
    ? {
        readonly [K in keyof M]?: (
          sim: Simulation,
          request: MessageShape<M[K]["input"]>,
          height: number | undefined,
          queries: QueryableChain,
        ) => MessageInitShape<M[K]["output"]> | Reading<MessageInitShape<M[K]["output"]>>;
      }
    : never;
