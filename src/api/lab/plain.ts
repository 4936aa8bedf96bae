import type { MessageShape } from "@bufbuild/protobuf";
import type * as wire from "../../gen/lab/v1/lab_pb.ts";

/** A generated message without its protobuf marks: what is posted to the page as it is. */
type Plain<T> = T extends readonly (infer E)[]
  ? readonly Plain<E>[]
  : T extends object
    ? { readonly [K in keyof T as K extends "$typeName" | "$unknown" ? never : K]: Plain<T[K]> }
    : T;

type Methods = (typeof wire.Lab)["method"];
/** What a method of lab.v1.Lab is asked; absent fields have their zero value. */
export type LabRequest<M extends keyof Methods> = Partial<Plain<MessageShape<Methods[M]["input"]>>>;
export type LabAnswer<M extends keyof Methods> = Plain<MessageShape<Methods[M]["output"]>>;

export type FrameRequest = Partial<Plain<wire.GetFrameRequest>>;
export type Frame = Plain<wire.Frame>;
export type Chain = Plain<wire.Chain>;
export type Player = Plain<wire.Player>;
export type Story = Plain<wire.Story>;
export type ValidatorFrame = Plain<wire.Validator>;
export type NodeFrame = Plain<wire.Node>;
export type ChainStatusFrame = Plain<wire.ChainStatus>;
export type CauseFrame = Plain<wire.Cause>;
export type Remedy = Plain<wire.Remedy>;
export type PlanView = Plain<wire.PlanView>;
export type ModuleVersionView = Plain<wire.ModuleVersionView>;
export type ProposalView = Plain<wire.ProposalView>;
export type TallyView = Plain<wire.TallyView>;
export type EvidenceView = Plain<wire.EvidenceView>;
export type BlockCell = Plain<wire.BlockCell>;
export type Activity = Plain<wire.Activity>;
export type Sample = Plain<wire.Sample>;
export type Block = Plain<wire.Block>;
export type Commit = Plain<wire.Commit>;
export type Rounds = Plain<wire.Rounds>;
export type Divergence = Plain<wire.Divergence>;
export type NodeLog = Plain<wire.NodeLog>;
export type NodeFiles = Plain<wire.NodeFiles>;
export type AppliedUpgrade = Plain<wire.AppliedUpgrade>;
export type BlockMeta = Plain<wire.BlockMeta>;
export type CancelAdvice = Plain<wire.CancelAdvice>;
export type StepPreview = Plain<wire.StepPreview>;
export type Control = NonNullable<Plain<wire.ControlRequest>["action"]>;
export type StepAnswer = Plain<wire.StepResult>;
export type LoadRequest = Partial<Plain<wire.LoadScenarioRequest>>;
export type LoadAnswer = Plain<wire.LoadScenarioResponse>;
