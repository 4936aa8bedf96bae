/**
 * Gov v1beta1: proposals with one content each, as older clients send and query them (rules/gov
 * 9.1).
 */
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { utf8 } from "../../../base/bytes.ts";
import { decToString } from "../../../base/dec.ts";
import { WeightedVoteOptionSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import {
  type MsgExecLegacyContent,
  MsgExecLegacyContentSchema,
  MsgSubmitProposalSchema,
  type Msg as MsgV1,
} from "../../../gen/chain/gov/v1/tx_pb.ts";
import { type Msg, TextProposalSchema } from "../../../gen/chain/gov/v1beta1/tx_pb.ts";
import {
  decodeErrorText,
  decodeMessage,
  inChain,
  packInit,
  typeUrl,
  underRootOf,
} from "../../framework/codec.ts";
import type { Context } from "../../framework/context.ts";
import { ChainError, errorText } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import {
  ErrInvalidProposalContent,
  ErrInvalidSigner,
  ErrNoProposalHandlerExists,
} from "./errors.ts";
import type { GovKeeper } from "./keeper.ts";
import type { LegacyContent } from "./needs.ts";

/** A text proposal has no effect. */
const TEXT: LegacyContent<typeof TextProposalSchema> = {
  schema: TextProposalSchema,
  route: "gov",
  handle() {},
};

const MAX_TITLE_LENGTH = 140;
const MAX_DESCRIPTION_LENGTH = 10_000;

interface ReadContent {
  readonly kind: LegacyContent;
  readonly message: MessageShape<DescMessage>;
}

/**
 * Unpacks a content. Throws ErrNoProposalHandlerExists with the module of a content that no module
 * here handles, and ErrInvalidProposalContent for anything else.
 */
export function readContent(k: GovKeeper, packed: Any | undefined): ReadContent {
  if (packed === undefined) throw ErrInvalidProposalContent.wrap("missing content");
  const url = inChain(packed.typeUrl);
  const kinds: readonly LegacyContent[] = [TEXT as LegacyContent, ...k.needs.legacyContents];
  const kind = kinds.find(({ schema }) => typeUrl(schema) === url);
  if (kind === undefined) {
    const [, route] = /^\/chain\.(\w+)\.\w+\.\w+Proposal$/.exec(url) ?? [];
    if (route !== undefined) throw ErrNoProposalHandlerExists.wrap(route);
    throw ErrInvalidProposalContent.wrap(`expected a proposal's content, got ${packed.typeUrl}`);
  }
  try {
    return { kind, message: decodeMessage(kind.schema, packed.value) };
  } catch (error) {
    throw ErrInvalidProposalContent.wrap(decodeErrorText(error));
  }
}

/** Executes a content. Throws gov 5, 9 or 13. */
export function execLegacyContent(
  ctx: Context,
  k: GovKeeper,
  { authority, content: packed }: MsgExecLegacyContent,
): void {
  if (authority !== k.authority) {
    throw ErrInvalidSigner.wrap(`expected ${k.authority} got ${authority}`);
  }
  const { kind, message } = readContent(k, packed);
  try {
    kind.handle(ctx, message);
  } catch (error) {
    const why = `failed to run legacy handler ${kind.route}, ${errorText(error)}`;
    throw ErrInvalidProposalContent.wrap(why);
  }
}

const UNDONE = new Error("undone");

/**
 * Executes a content when it is proposed, and reverts its effects; messages of gov v1 are not
 * tried.
 */
export function tryLegacyContent(ctx: Context, k: GovKeeper, any: Any): void {
  if (inChain(any.typeUrl) !== typeUrl(MsgExecLegacyContentSchema)) return;
  const message = decodeMessage(MsgExecLegacyContentSchema, any.value);
  try {
    ctx.atomically(() => {
      execLegacyContent(ctx, k, message);
      throw UNDONE;
    });
  } catch (error) {
    if (error === UNDONE) return;
    if (!(error instanceof ChainError) || error.code === ErrNoProposalHandlerExists.code)
      throw error;
    throw ErrInvalidProposalContent.wrap(error.message);
  }
}

/** Messages of gov v1beta1, converted to those of v1. */
export const legacyMsgServer = (
  k: GovKeeper,
  v1: ServiceImpl<typeof MsgV1>,
): ServiceImpl<typeof Msg> => ({
  submitProposal(ctx, { content, initialDeposit, proposer }) {
    const { message } = readContent(k, content);
    const { title = "", description = "" } = message as { title?: string; description?: string };
    checkTexts(title, description);
    const exec = packInit(MsgExecLegacyContentSchema, {
      authority: k.authority,
      ...(content && { content }),
    });
    // Events name it as its sender names types.
    exec.typeUrl = underRootOf(content?.typeUrl ?? "", exec.typeUrl);
    const proposal = { messages: [exec], initialDeposit, proposer, title, summary: description };
    const { proposalId = 0n } = v1.submitProposal(ctx, create(MsgSubmitProposalSchema, proposal));
    return { proposalId };
  },

  vote(ctx, vote) {
    v1.vote(ctx, { ...vote, $typeName: "chain.gov.v1.MsgVote", metadata: "" });
    return {};
  },

  voteWeighted(ctx, { options, ...vote }) {
    const weights = options.map(({ option, weight }) =>
      create(WeightedVoteOptionSchema, { option, weight: weightText(weight) }),
    );
    const $typeName = "chain.gov.v1.MsgVoteWeighted";
    v1.voteWeighted(ctx, { ...vote, $typeName, options: weights, metadata: "" });
    return {};
  },

  deposit(ctx, deposit) {
    v1.deposit(ctx, { ...deposit, $typeName: "chain.gov.v1.MsgDeposit" });
    return {};
  },
});

function checkTexts(title: string, description: string): void {
  const refuse = (why: string): never => {
    throw ErrInvalidProposalContent.wrap(why);
  };
  if (title.trim() === "") refuse("proposal title cannot be blank");
  if (utf8(title).length > MAX_TITLE_LENGTH)
    refuse(`proposal title is longer than max length of ${MAX_TITLE_LENGTH}`);
  if (description === "") refuse("proposal description cannot be blank");
  if (utf8(description).length > MAX_DESCRIPTION_LENGTH)
    refuse(`proposal description is longer than max length of ${MAX_DESCRIPTION_LENGTH}`);
}

/** Converts a Dec's digits to the text in v1; other text is left to the check of weights. */
const weightText = (digits: string): string =>
  /^-?\d{1,80}$/.test(digits) ? decToString(BigInt(digits)) : digits;
