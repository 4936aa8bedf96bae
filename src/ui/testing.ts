/** Frames for tests, with only the relevant fields; all others have the wire's defaults. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ChainSchema, FrameSchema, PlayerSchema, SampleSchema } from "../gen/lab/v1/lab_pb.ts";
import type { Frame, Sample } from "./store/types.ts";

export const frameOf = (init: MessageInitShape<typeof FrameSchema>): Frame =>
  create(FrameSchema, {
    world: "w",
    chain: create(ChainSchema),
    player: create(PlayerSchema),
    ...init,
  });

export const sampleOf = (init: MessageInitShape<typeof SampleSchema>): Sample =>
  create(SampleSchema, init);
