import { create, toBinary } from "@bufbuild/protobuf";
import { type StringValue, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { SECOND } from "../../base/time.ts";
import {
  EquivocationSchema,
  ScriptedEvidenceSchema,
} from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { GenesisStateSchema } from "../../gen/chain/evidence/v1beta1/genesis_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { App, blockInfoAt, PLAIN_NODE } from "../app/app.ts";
import { V1 } from "../app/binary.ts";
import type { ChainConfig } from "../app/chain-config.ts";
import { encodeTx, type TxResult } from "../app/deliver-tx.ts";
import { profileOf } from "../app/profile.ts";
import { answerQuery, queryRoute } from "../app/queries.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../consensus/params.ts";
import { packAny, packInit } from "../framework/codec.ts";
import { plainError } from "../framework/errors.ts";
import { haltText } from "../framework/halt.ts";
import { thrownBy } from "../framework/testing.ts";
import type { Evidence, EvidenceRegistration } from "../modules/evidence/types.ts";
import { genesisMessages } from "./genesis/genesis.ts";
import { accountOf, consensusKeyOf } from "./genesis/world-spec.ts";
import { worldSpec } from "./testing.ts";

/** An evidence type that the evidence module does not have. */
class Hearsay implements Evidence {
  readonly message: StringValue;

  constructor(message: StringValue) {
    this.message = message;
  }
  route = () => "hearsay";
  type = () => "hearsay";
  string = () => this.message.value;
  hash = () => sha256(toBinary(StringValueSchema, this.message));
  pack = () => packAny(StringValueSchema, this.message);
  getHeight = () => 1n;
  validateBasic(): void {
    if (this.message.value === "") throw plainError("nothing was said");
  }
}

const HEARSAY: EvidenceRegistration = {
  type: { schema: StringValueSchema, from: (message) => new Hearsay(message as StringValue) },
  route: "hearsay",
  handler(_ctx, evidence) {
    if (evidence.string().endsWith("?")) throw plainError("that is a question");
  },
};

const SPEC = worldSpec();
const ALICE = accAddress(accountOf("alice"));
const PLACE = blockInfoAt(SPEC.chainId, 0, SPEC.genesisTime);
const RECORD = {
  timeAt: () => undefined,
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
};

const appOf = (config: Partial<ChainConfig>): App =>
  new App(V1, {
    profile: profileOf("documented"),
    params: DEFAULT_CONSENSUS_PARAMS,
    evidenceRoutes: ["equivocation", "hearsay", "scripted"],
    evidenceTypes: [HEARSAY],
    verifyVote: () => true,
    ...config,
  });

const GENESIS = genesisMessages(SPEC, (name) => consensusKeyOf(name, SPEC.seed).publicKey);
const said = (value: string) => packInit(StringValueSchema, { value });

/** Executes block 1 with one transaction per piece of evidence, all from alice. */
function submitted(app: App, ...evidence: ReturnType<typeof said>[]) {
  const { state } = app.initChain(PLACE, GENESIS, RECORD);
  const txs = evidence.map((item, i) =>
    encodeTx({
      messages: [packInit(MsgSubmitEvidenceSchema, { submitter: ALICE, evidence: item })],
      signer: ALICE,
      sequence: BigInt(i + 1),
    }),
  );
  const place = blockInfoAt(SPEC.chainId, 1, SPEC.genesisTime + 5n * SECOND);
  const outcome = app.finalizeBlock(state, { ...place, txs }, PLAIN_NODE, RECORD);
  if (outcome.kind === "halted") throw new Error(haltText(outcome.cause));
  return { ...outcome, place };
}

const answer = ({ codespace, code, log }: TxResult): string => `${codespace}/${code} ${log}`;
const FAILED = "failed to execute message; message index: 0: ";

describe("an evidence type that comes from outside the evidence module", () => {
  test("is read, checked, brought to its own Handler, stored and answered by queries", () => {
    const app = appOf({});
    const { state, txResults, place } = submitted(
      app,
      said("it was val-2"),
      said("it was val-2"),
      said("was it val-2?"),
      said(""),
    );
    const hash = toHexUpper(
      new Hearsay(create(StringValueSchema, { value: "it was val-2" })).hash(),
    );
    expect(txResults.map(answer)).toEqual([
      "/0 ",
      `evidence/5 ${FAILED}${hash}: evidence already exists`,
      `evidence/3 ${FAILED}that is a question: invalid evidence`,
      `evidence/3 ${FAILED}failed basic validation: nothing was said: invalid evidence`,
    ]);
    const query = "chain.evidence.v1beta1.Query/Evidence";
    const request = create(queryRoute(app, query)?.input as never, { hash } as never);
    expect(answerQuery(app, app.contextOf(state, place, RECORD), query, request)).toMatchObject({
      evidence: said("it was val-2"),
    });
    const exported = app.exportGenesis(state, place, RECORD);
    const again = app.initChain(PLACE, exported.messages, RECORD);
    expect(app.exportGenesis(again.state, place, RECORD).messages.get("evidence")).toEqual(
      exported.messages.get("evidence"),
    );
  });

  test("is refused by a chain that has no route for it, and is none to one that does not know it", () => {
    const unrouted = submitted(appOf({ evidenceRoutes: ["equivocation"] }), said("so"));
    expect(unrouted.txResults.map(answer)).toEqual([
      `evidence/2 ${FAILED}hearsay: unregistered handler for evidence type`,
    ]);
    const unknown = submitted(appOf({ evidenceTypes: [] }), said("so"));
    expect(unknown.txResults.map(answer)).toEqual([
      `evidence/3 ${FAILED}missing evidence: invalid evidence`,
    ]);
  });

  test("may not take the place of a type that is there", () => {
    const type = { schema: EquivocationSchema, from: HEARSAY.type.from };
    expect(() => appOf({ evidenceTypes: [{ ...HEARSAY, type }] })).toThrow(
      "evidence type /chain.evidence.v1beta1.Equivocation has already been registered",
    );
  });
});

test("a Handler's panic is recovered with the words and the place of the stack (rules/consensus 8.4)", () => {
  const evidence = packInit(ScriptedEvidenceSchema, { height: 1n, outcome: "panic", text: "boom" });
  const { txResults } = submitted(appOf({}), evidence);
  expect(txResults.map(answer)).toEqual(["undefined/111222 recovered: boom\nstack:\n: panic"]);
});

test.each([
  ["", "sdk/7", "invalid submitter address: empty address string is not allowed: invalid address"],
  [
    "alice",
    "sdk/7",
    "invalid submitter address: decoding bech32 failed: invalid bech32 string length 5: invalid address",
  ],
])(
  "a submitter %j is no address, for which the message itself is refused",
  (submitter, code, text) => {
    const app = appOf({});
    const { state } = app.initChain(PLACE, GENESIS, RECORD);
    const messages = [packInit(MsgSubmitEvidenceSchema, { submitter, evidence: said("so") })];
    const txs = [encodeTx({ messages, signer: ALICE, sequence: 1n })];
    const place = blockInfoAt(SPEC.chainId, 1, SPEC.genesisTime + 5n * SECOND);
    const outcome = app.finalizeBlock(state, { ...place, txs }, PLAIN_NODE, RECORD);
    expect(outcome.kind === "applied" && outcome.txResults.map(answer)).toEqual([
      `${code} ${FAILED}${text}`,
    ]);
  },
);

test("another account's address as submitter is unauthorized", () => {
  const app = appOf({});
  const { state } = app.initChain(PLACE, GENESIS, RECORD);
  const submitter = accAddress(accountOf("val-0"));
  const messages = [packInit(MsgSubmitEvidenceSchema, { submitter, evidence: said("so") })];
  const txs = [encodeTx({ messages, signer: ALICE, sequence: 1n })];
  const place = blockInfoAt(SPEC.chainId, 1, SPEC.genesisTime + 5n * SECOND);
  const outcome = app.finalizeBlock(state, { ...place, txs }, PLAIN_NODE, RECORD);
  expect(outcome.kind === "applied" && outcome.txResults.map(answer)).toEqual([
    `sdk/4 ${submitter} did not sign the transaction: unauthorized`,
  ]);
});

test("a chain does not begin with evidence that is not valid, and says so as InitGenesis does", () => {
  const state = create(GenesisStateSchema, { evidence: [said("")] });
  const begin = () => appOf({}).initChain(PLACE, new Map(GENESIS).set("evidence", state), RECORD);
  expect(thrownBy(begin).message).toBe(
    "failed to validate evidence genesis state: nothing was said",
  );
});
