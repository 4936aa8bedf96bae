/** Draws messages of any type of the registry as JSON, with values that often fit the world. */
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { signer } from "../../src/gen/chain/base/v1beta1/annotations_pb.ts";
import { registry } from "../../src/gen/registry.ts";
import type { Draw } from "./draw.ts";

/** Entities that a message can refer to. */
export interface Known {
  /** Accounts and validators by name. */
  readonly people: readonly string[];
  readonly validators: readonly string[];
  readonly plans: readonly string[];
  readonly height: number;
  /** RFC 3339. */
  readonly times: readonly string[];
}

type Json = unknown;

const all = [...registry].filter((desc) => desc.kind === "message");

/** Messages that a transaction may carry: all that have a signer. */
export const MESSAGES = all.filter((desc) => getOption(desc, signer) !== "");

const EVIDENCE = all.filter(({ file }) => file.name === "chain/evidence/v1beta1/evidence");
/** So deep are proposals within proposals drawn. */
const DEPTH = 3;

/** A message of a person, or of the governance module inside a proposal, with `@type`. */
export function drawMessage(draw: Draw, known: Known, from: string, desc = draw.pick(MESSAGES)) {
  return { "@type": `/${desc.typeName}`, ...fieldsOf(draw, known, from, desc, 0) };
}

function fieldsOf(
  draw: Draw,
  known: Known,
  from: string,
  desc: DescMessage,
  depth: number,
): Record<string, Json> {
  const own = getOption(desc, signer);
  return Object.fromEntries(
    desc.fields
      .filter((field) => field.name === own || !draw.chance(0.06))
      .map((field): [string, Json] => {
        const value = (): Json => drawValue(draw, known, from, field, depth, field.name === own);
        if (field.fieldKind !== "list") return [field.name, value()];
        return [field.name, Array.from({ length: draw.between(0, 2) }, value)];
      }),
  );
}

function drawValue(
  draw: Draw,
  known: Known,
  from: string,
  field: DescField,
  depth: number,
  isSigner: boolean,
): Json {
  const type = field.fieldKind === "map" ? undefined : field.message;
  if (type) return innerOf(draw, known, from, field, type, depth);
  if (field.enum) return draw.pick(field.enum.values).name;
  switch (field.scalar) {
    case ScalarType.BOOL:
      return draw.chance(0.5);
    case ScalarType.STRING:
      return textOf(draw, known, from, field, isSigner);
    case ScalarType.BYTES:
      return field.name === "key"
        ? `\${${draw.pick(known.validators)}.pub_key}`
        : btoa(String.fromCharCode(...draw.bytes(draw.between(0, 40))));
    default:
      return numberOf(draw, known, field);
  }
}

function innerOf(
  draw: Draw,
  known: Known,
  from: string,
  field: DescField,
  type: DescMessage,
  depth: number,
): Json {
  if (type.name === "Timestamp") return draw.pick(known.times);
  if (type.name === "Duration") return draw.pick(["0s", "1ns", "5s", "30s", "40s", "1h", "-5s"]);
  if (type.name === "Coin") return coinOf(draw);
  if (type.name !== "Any") return fieldsOf(draw, known, from, type, depth + 1);
  if (field.name === "pubkey") {
    const key = `\${${draw.pick([...known.validators, "fresh"])}.pub_key}`;
    return { "@type": "/chain.crypto.ed25519.PubKey", key };
  }
  const desc =
    field.name === "evidence"
      ? draw.pick(EVIDENCE)
      : draw.pick(depth < DEPTH ? MESSAGES : MESSAGES.filter(({ name }) => name === "MsgSend"));
  const of = field.name === "evidence" || draw.chance(0.1) ? from : "gov";
  return { "@type": `/${desc.typeName}`, ...fieldsOf(draw, known, of, desc, depth + 1) };
}

const coinOf = (draw: Draw): Json => ({
  denom: draw.chance(0.97) ? "stake" : draw.pick(["", "atom", "st ake"]),
  amount: draw.weighted([
    [10, `${draw.between(1, 120_000_000)}`],
    [3, "10000000"],
    [2, `${draw.between(0, 3)}`],
    [1, draw.pick(["99999999999999999999999999", "0", "1000000000"])],
  ]),
});

function textOf(draw: Draw, known: Known, from: string, field: DescField, isSigner: boolean): Json {
  const { name } = field;
  const who = isSigner ? from : draw.pick(known.people);
  if (/validator_?(src_|dst_)?addr/.test(name)) {
    const whose = isSigner ? from : draw.pick(known.validators);
    return known.validators.includes(whose) ? `\${${whose}.valoper}` : `\${${whose}}`;
  }
  if (name === "consensus_address") return `\${${draw.pick(known.validators)}.valcons}`;
  if (/address|proposer|voter|depositor|submitter|authority|_dest$/.test(name)) {
    return draw.chance(0.97) ? `\${${who}}` : draw.pick(["", "chain1nobody", "x".repeat(90)]);
  }
  if (/rate|ratio|quorum|threshold|fraction|weight|min_signed/.test(name)) {
    return draw.pick(["0", "0.01", "0.1", "0.334", "0.5", "0.667", "1", "1.5", "-0.1", "x"]);
  }
  if (/amount|self_delegation|tokens/.test(name)) return `${draw.between(0, 100_000_000)}`;
  if (name === "name") return draw.pick([...known.plans, "other", ""]);
  if (name === "outcome") return draw.pick(["accept", "reject", "panic"]);
  if (name === "bond_denom") return draw.pick(["stake", "stake", "atom"]);
  return draw.pick(["", "a remark", "ipfs://remark", '{"binaries":{"any":"https://x.example"}}']);
}

function numberOf(draw: Draw, known: Known, field: DescField): Json {
  const signed = field.scalar === ScalarType.INT64 || field.scalar === ScalarType.INT32;
  const wide = [ScalarType.INT64, ScalarType.UINT64].includes(field.scalar ?? ScalarType.BOOL);
  const near = Math.max(0, known.height + draw.between(-8, 12));
  const drawn = /proposal_id/.test(field.name)
    ? draw.between(0, 6)
    : /height/.test(field.name)
      ? near
      : draw.weighted([
          [6, draw.pick([0, 1, 2, 3, 7, 10, 100])],
          [2, near],
          [1, draw.pick([1_000_000_000, 2_147_483_647, 255])],
        ]);
  const value = signed && draw.chance(0.03) ? -1 - drawn : drawn;
  return wide ? `${value}` : value;
}
