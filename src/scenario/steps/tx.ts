import type { Any } from "@bufbuild/protobuf/wkt";
import * as v from "valibot";
import { toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { acceptSignedTxs, readSigned } from "../../engine/app/signed-tx.ts";
import { unpackAny } from "../../engine/framework/codec.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { fromBase64 } from "../../view/base64.ts";
import { anyFromJson } from "../../view/json.ts";
import { checkTx } from "../../view/tx/check-tx.ts";
import { about, choice, flag, has, integer, map, messages, text } from "../fields.ts";
import { sentIn, tryStep } from "../foresight.ts";
import { show, underOwnRoot } from "../match.ts";
import { resolveAll, resolveText } from "../references.ts";
import { stakeSentence } from "../stake-preview.ts";
import { type StepContext, StepError, type StepValue } from "../step-context.ts";
import { included, queue } from "../transactions.ts";
import { defineVerb } from "../verb.ts";

const expectation = map({
  code: about(
    v.optional(integer(0, 1_000_000)),
    "Expected code. Default: 0 (success), or any code if codespace or log is set.",
  ),
  codespace: about(v.optional(text), "Codespace of the code, usually the module."),
  log: about(v.optional(text), "Text that the log contains."),
});

const wait = about(v.optional(flag), "false: the step ends as soon as the transaction is queued.");
const outcome = about(v.optional(expectation), "Expected result. Default: success.");

const unsigned = map({
  from: about(text, "Account that sends the transaction."),
  msgs: about(messages, "Messages, each a map with @type."),
  memo: about(v.optional(text), "Memo of the transaction."),
  wait,
  expect: outcome,
});

const signed = map({
  signed: about(
    v.pipe(text, v.regex(/^[A-Za-z0-9+/]+=*$/, "TxRaw in base64")),
    "Transaction signed by a client for this chain: TxRaw in base64. Its signatures are verified.",
  ),
  wait,
  expect: outcome,
});

const args = choice(
  "a map with from and msgs, or with signed",
  [has("signed"), signed],
  [() => true, unsigned],
);

/** Sends a transaction. */
export const tx = defineVerb({
  name: "tx",
  about: "Sends a transaction of an account and includes it in the next block.",
  args,
  gives: { value: true, evidence: true },
  check(what, check) {
    const { wait, expect } = what;
    if ("from" in what) check.account(what.from, "from");
    if (wait === false && expect) {
      check.problem("expected no expectation of a transaction that is not waited for", "expect");
    }
  },
  *reads(context, what) {
    if ("signed" in what) {
      yield* context.sim.readBy({ type: "signed_tx", bytes: bytesOf(what.signed) });
    } else {
      const signer = resolveText(context, what.from);
      yield* context.sim.readBy({ type: "tx", signer, messages: messagesOf(context, what) });
    }
  },
  preview(context, what) {
    // A transaction that is not awaited may be in any later block.
    if (what.wait === false) return {};
    const expects = Object.keys(what.expect ?? {}).length > 0;
    const tried = tryStep(context, (copy) => send(copy, what), expects);
    if ("preview" in tried) return tried.preview;
    const sent = tried.value && sentIn(tried.copy, tried.value);
    if (sent === undefined || sent.messages.length !== 1 || "signed" in what) return {};
    return { sentence: stakeSentence(context.sim, resolveText(context, what.from), sent) };
  },
  run: send,
});

/** Queues it and, if it is awaited, compares the outcome with the expected one. */
function* send(
  context: StepContext,
  what: v.InferOutput<typeof args>,
): Generator<void, StepValue | undefined> {
  const { wait = true, expect = {} } = what;
  const { hash, messages } =
    "signed" in what ? queueSigned(context, what.signed) : queueSourceTx(context, what);
  if (wait) {
    const [view] = yield* included(context, [hash]);
    compare(view as TxView, resolveAll(context, expect));
  }
  return { value: toHexUpper(hash), evidence: () => evidenceIn(messages) };
}

interface Queued {
  readonly hash: Uint8Array;
  readonly messages: readonly Any[];
}

function queueSourceTx(
  context: StepContext,
  { from, msgs, memo }: v.InferOutput<typeof unsigned>,
): Queued {
  const messages = messagesOf(context, { msgs });
  const hash = queue(context, {
    from: resolveText(context, from),
    messages,
    ...(memo === undefined ? {} : { memo: resolveText(context, memo) }),
  });
  return { hash, messages };
}

const messagesOf = (
  context: StepContext,
  { msgs }: Pick<v.InferOutput<typeof unsigned>, "msgs">,
): Any[] => msgs.map((json) => anyFromJson(resolveAll(context, json)));

/** Queues a client's signed transaction, like a node that receives it. */
function queueSigned({ sim }: StepContext, source: string): Queued {
  acceptSignedTxs();
  const bytes = bytesOf(source);
  const { code, codespace, log } = checkTx(sim, bytes);
  if (code !== 0) throw new StepError(`it is refused with ${codespace} ${code}: ${log}`, "signed");
  const { txHash } = sim.apply({ type: "signed_tx", bytes });
  return { hash: txHash ?? sha256(bytes), messages: readSigned(bytes).messages };
}

function bytesOf(source: string): Uint8Array {
  try {
    return fromBase64(source);
  } catch {
    throw new StepError("expected TxRaw in base64", "signed");
  }
}

/** By default a transaction is expected to succeed. */
function compare(found: TxView, expected: v.InferOutput<typeof expectation>): void {
  const fails = expected.codespace !== undefined || expected.log !== undefined;
  const code = expected.code ?? (fails ? undefined : 0);
  const differs = (key: "code" | "codespace", value: unknown): boolean =>
    value !== undefined && found[key] !== value;
  const key = differs("code", code)
    ? "code"
    : differs("codespace", expected.codespace)
      ? "codespace"
      : expected.log !== undefined && !underOwnRoot(found.log).includes(underOwnRoot(expected.log))
        ? "log"
        : undefined;
  if (key === undefined) return;
  const wanted = key === "code" ? code : expected[key];
  const behind = key === "log" ? "" : ` (${found.log || "no log"})`;
  throw new StepError(
    `expected ${key} ${show(wanted)}, found ${show(found[key])}${behind}`,
    `expect.${key}`,
    toHexUpper(found.hash),
  );
}

/** The hash of evidence is that of its bytes, even if the chain refused it. */
function evidenceIn(messages: readonly Any[]): string {
  for (const any of messages) {
    const evidence = unpackAny(MsgSubmitEvidenceSchema, any)?.evidence;
    if (evidence) return toHexUpper(sha256(evidence.value));
  }
  throw new StepError("that transaction carries no evidence");
}
