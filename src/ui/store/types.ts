/** The wire's messages as the page holds them: plain and read-only. */
import type { Plain } from "../../client/plain.ts";
import type * as wire from "../../gen/lab/v1/lab_pb.ts";

export type Frame = Plain<wire.Frame>;
export type Fork = Plain<wire.Fork>;
export type Validator = Plain<wire.Validator>;
export type Node = Plain<wire.Node>;
export type ChainStatus = Plain<wire.ChainStatus>;
export type Remedy = Plain<wire.Remedy>;
export type PlanView = Plain<wire.PlanView>;
export type ProposalView = Plain<wire.ProposalView>;
export type EvidenceView = Plain<wire.EvidenceView>;
export type BlockCell = Plain<wire.BlockCell>;
export type Activity = Plain<wire.Activity>;
export type Story = Plain<wire.Story>;
export type StoryStep = Plain<wire.StoryStep>;
export type Sample = Plain<wire.Sample>;
export type Block = Plain<wire.Block>;
export type LogLine = Plain<wire.LogLineView>;
export type Fault = Plain<wire.Fault>;
export type Divergence = Plain<wire.Divergence>;
export type Round = Plain<wire.RoundView>;
export type CancelAdvice = Plain<wire.CancelAdvice>;
export type BlockHeader = Plain<wire.BlockHeader>;
