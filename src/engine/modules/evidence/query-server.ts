import { fromHex } from "../../../base/from-hex.ts";
import { Query } from "../../../gen/chain/evidence/v1beta1/query_pb.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError } from "../../framework/errors.ts";
import { paginate } from "../../framework/pagination.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import { anyCodec } from "./codec.ts";
import { evidenceKey, KEY_PREFIX_EVIDENCE } from "./keys.ts";
import { MODULE_NAME } from "./types.ts";

/** Queries one piece of evidence by hash, or all in pages (rules/evidence 6.1, 6.3). */
const queryServer: ServiceImpl<typeof Query> = {
  evidence(ctx, request) {
    // The document names the field evidence_hash, upstream reads hash; both are accepted.
    const text = request.hash !== "" ? request.hash : request.evidenceHash;
    if (text === "") throw invalid("invalid request; hash is empty");
    const evidence = ctx.store(MODULE_NAME).read(evidenceKey(parseHash(ctx, text)), anyCodec);
    if (evidence === undefined) {
      throw new StatusError(STATUS.notFound, `evidence ${text} not found`);
    }
    return { evidence };
  },

  allEvidence(ctx, request) {
    const page = paginate(
      ctx.store(MODULE_NAME),
      KEY_PREFIX_EVIDENCE,
      request.pagination,
      (entry) => entry.read(anyCodec),
    );
    return { evidence: page.items, pagination: page.pagination };
  },
};

export const registerQueries = (router: ServiceRouter): void =>
  router.registerQuery(MODULE_NAME, Query, queryServer);

function parseHash(ctx: Context, text: string): Uint8Array {
  try {
    return fromHex(text);
  } catch (error) {
    const code =
      ctx.profile.badEvidenceHash === "unknown" ? STATUS.unknown : STATUS.invalidArgument;
    throw new StatusError(code, `invalid evidence hash: ${errorText(error)}`);
  }
}

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);
