// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like template strings
import { expect, test } from "vitest";
import { prefixesOf } from "../base/address-prefix.ts";
import { decodeBech32 } from "../base/bech32.ts";
import { toHex, toHexUpper } from "../base/bytes.ts";
import { drain } from "../base/drain.ts";
import { WorldQueries } from "../view/lab/world-queries.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";
import { handleRest } from "../view/rest.ts";
import { createContext } from "./create-context.ts";
import { parseScenario } from "./parse.ts";
import { runStep } from "./runner.ts";

/** A slash that affects unbonding stake, an upgrade, and a proposal that burns its deposit. */
const file = (prefix: string): string => `
scenario: 1
name: prefixes
genesis: { validators: 5, prefix: "${prefix}", accounts: { alice: 1000000000stake } }
binaries: { v2: { modules: { bank: 5 }, handlers: [v2] } }
steps:
  - run: 2
  - tx: { from: val-2, msgs: [{ "@type": /chain.staking.v1beta1.MsgUndelegate, delegator_address: "\${val-2}", validator_address: "\${val-2.valoper}", amount: { denom: stake, amount: "1000000" } }] }
  - double_sign: { node: val-2 }
  - run: 4
  - propose: { from: alice, title: spam, messages: [{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "\${gov}" }] }
  - vote: { proposal: 1, option: no_with_veto }
  - upgrade: { name: v2, at: 50 }
  - run: { until: halted }
  - nodes: { which: all, binary: v2 }
  - run: { to: 52 }
`;

/** Answers about a world, by query. */
function shownOf(prefix: string): ReadonlyMap<string, unknown> {
  const read = parseScenario(file(prefix), "prefixes.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const context = createContext(read.scenario);
  const { sim } = context;
  const shown = new Map<string, unknown>();
  const ask = (path: string): unknown => {
    const { status, body } = handleRest(new WorldQueries(sim, context.follow), "GET", path);
    shown.set(path, [status, canonical(body, prefix)]);
    return body;
  };
  const frames = (): void => {
    const { blocks, ...frame } = context.follow().frames.build({});
    shown.set(`frame of ${sim.height}`, canonical(frame, prefix));
    shown.set(`blocks of ${sim.height}`, canonical(blocks, prefix));
  };
  read.scenario.steps.forEach((step, index) => {
    const { ok, message } = drain(runStep(context, step, index));
    expect([index, ok, message]).toEqual([index, true, message]);
    frames();
  });
  for (const { paths, verb } of QUERY_ROUTES) {
    for (const path of paths) {
      if (verb === "GET" && !/[{]|\/(state|genesis|node_info)$/.test(path)) ask(`/${path}`);
    }
  }
  for (let height = 1; height <= sim.height; height++) {
    for (const path of ["blocks", "rounds", "explanations/block"]) ask(`/lab/v1/${path}/${height}`);
    sim.block(height)?.txs.forEach(({ hash }, i) => {
      const { status, body } = handleRest(
        new WorldQueries(sim, context.follow),
        "GET",
        `/lab/v1/explanations/tx/${toHexUpper(hash)}`,
      );
      shown.set(`transaction ${i} of ${height}`, [status, canonical(body, prefix)]);
    });
  }
  for (const id of ["1", "2"]) {
    for (const path of ["explanations/proposal", "ballots", "tally_history"])
      ask(`/lab/v1/${path}/${id}`);
    ask(`/chain/gov/v1/proposals/${id}`);
  }
  for (const path of ["explanations/validator/val-2", "validators/val-2/states", "nodes/val-2"])
    ask(`/lab/v1/${path}`);
  for (const path of [
    "explanations/plan/v2",
    "applied_upgrades/v2",
    "compare?a.height=2&b.height=10",
  ])
    ask(`/lab/v1/${path}`);
  const { evidence } = ask("/lab/v1/evidence") as { evidence?: { id: string }[] };
  for (const [i, { id }] of (evidence ?? []).entries()) {
    const queries = new WorldQueries(sim, context.follow);
    const { body } = handleRest(queries, "GET", `/lab/v1/evidence/${id}`);
    shown.set(`evidence ${i}`, canonical(body, prefix));
  }
  return shown;
}

/** The page's texts with each address as its bytes, and without the effects of address length. */
function canonical(shown: unknown, prefix: string): unknown {
  const kinds = prefixesOf(prefix);
  const kindOf = new Map(Object.entries(kinds).map(([kind, word]) => [word, kind]));
  const text = JSON.stringify(shown, (_, value) =>
    typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? "bytes" : value,
  );
  const address = new RegExp(
    `\\b(${[...kindOf.keys()].join("|")})1[ac-hj-np-z02-9]{38,58}\\b`,
    "g",
  );
  return JSON.parse(
    text
      .replace(
        address,
        (found, word) => `<${kindOf.get(word)} ${toHex(decodeBech32(word, found))}>`,
      )
      .replace(/\b[0-9A-Fa-f]{64}\b|[0-9A-Za-z+/]{43}=|\b[0-9A-F]{6,}…/g, "hash"),
  );
}

const own = shownOf("chain");

test.each(["cosmos", "osmo", "a", "iaa", "iaa,iva,ica", "cro,crocncl,crocnclcons"])(
  "all that is shown of a slash, an upgrade and a proposal is the same where addresses begin with %s",
  (prefix) => {
    const shown = shownOf(prefix);
    expect([...shown.keys()]).toEqual([...own.keys()]);
    for (const [requested, answer] of shown)
      expect([requested, answer]).toEqual([requested, own.get(requested)]);
  },
);

test("of which a part is what the slash has burned", () => {
  expect(own.get("frame of 52")).toMatchObject({ chain: { burned: "5000000" } });
});

test("a prefix for each kind of addresses is a map or a text, and the usual ones are one word", () => {
  const prefixRead = (prefix: string) => {
    const read = parseScenario(
      `{ scenario: 1, name: a, genesis: { prefix: ${prefix} }, steps: [] }`,
      "a",
    );
    return "problems" in read ? read.problems[0]?.message : read.scenario.spec.prefix;
  };
  const triple = "{ account: iaa, validator: iva, consensus: ica }";
  expect(prefixRead(triple)).toBe("iaa,iva,ica");
  expect(prefixRead('"iaa,iva,ica"')).toBe("iaa,iva,ica");
  expect(prefixRead("{ account: osmo, validator: osmovaloper, consensus: osmovalcons }")).toBe(
    "osmo",
  );
  expect(prefixRead("{ account: iaa, validator: Iva, consensus: ica }")).toContain("a prefix of 1");
  expect(prefixRead('"iaa,iva"')).toContain("or three, separated by commas");
});
