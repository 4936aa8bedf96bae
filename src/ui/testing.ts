/** Frames for tests, with only what a test is about; everything else is as the wire leaves it. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ActivitySchema,
  BlockCellSchema,
  FrameSchema,
  NodeSchema,
  SampleSchema,
} from "../gen/lab/v1/lab_pb.ts";
import type { Activity, BlockCell, Frame, Node, Sample } from "./store/types.ts";

export const frameOf = (init: MessageInitShape<typeof FrameSchema>): Frame =>
  create(FrameSchema, { world: "w", chain: {}, player: {}, ...init });

export const nodeOf = (init: MessageInitShape<typeof NodeSchema>): Node =>
  create(NodeSchema, { process: "running", power: 100, ...init });

export const activityOf = (init: MessageInitShape<typeof ActivitySchema>): Activity =>
  create(ActivitySchema, init);

export const cellOf = (init: MessageInitShape<typeof BlockCellSchema>): BlockCell =>
  create(BlockCellSchema, init);

export const sampleOf = (init: MessageInitShape<typeof SampleSchema>): Sample =>
  create(SampleSchema, init);
