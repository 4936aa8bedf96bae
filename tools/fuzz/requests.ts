/** REST requests and queries by name: every route, with paths, pages, heights and bodies changed at random. */
import { readFileSync } from "node:fs";
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import { accAddress, consAddress, valAddress } from "../../src/base/bech32.ts";
import { toHex } from "../../src/base/bytes.ts";
import { ChainError, StatusError } from "../../src/engine/framework/errors.ts";
import { assertInvariant } from "../../src/engine/simulation/invariants.testing.ts";
import {
  isLanguageError,
  soundsLikeLanguageError,
} from "../../src/engine/simulation/world-invariants.testing.ts";
import { parseScenario } from "../../src/scenario/parse.ts";
import { runScenario } from "../../src/scenario/report.ts";
import type { StepContext } from "../../src/scenario/step-context.ts";
import { atOnce, type Reading } from "../../src/view/lab/reading.ts";
import { WorldQueries } from "../../src/view/lab/world-queries.ts";
import { queryJson } from "../../src/view/query.ts";
import { QUERY_ROUTES } from "../../src/view/query-routes.ts";
import { handleRest, type QueryableChain } from "../../src/view/rest.ts";
import type { Draw } from "./draw.ts";
import { mutateText, mutateValue } from "./mutate.ts";
import { type Target, tried } from "./target.ts";

/** Bundled scenarios at whose end is asked: a double sign, an upgrade, a halt, a fork, a vote. */
const WORLDS = [
  "double-sign",
  "upgrade-halts-and-recovers",
  "two-chains",
  "veto-burns-deposit",
  "redelegated-then-unbonded",
];

interface Request {
  readonly world: string;
  /** A REST target with its headers, or the name of a query with its body. */
  readonly get?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
  readonly height?: number;
}

const worlds = new Map<string, StepContext>();

function worldOf(name: string): StepContext {
  const known = worlds.get(name);
  if (known !== undefined) return known;
  const file = new URL(`../../public/scenarios/${name}.yaml`, import.meta.url);
  const read = parseScenario(readFileSync(file, "utf8"), `${name}.yaml`);
  if ("problems" in read) throw new Error(`${name} is refused`);
  runScenario(read.scenario, { file: name, onEnd: (context) => void worlds.set(name, context) });
  return worldOf(name);
}

/** Values that a field of this name may have in this world. */
function valuesFor(draw: Draw, { sim }: StepContext, field: string): string {
  const node = draw.pick(sim.nodes());
  const block = sim.block(sim.height);
  return draw.pick([
    node.name,
    accAddress(node.operatorAddress),
    valAddress(node.operatorAddress),
    consAddress(node.consensusAddress),
    toHex(block?.hash ?? new Uint8Array()),
    ...["stake", "v2", "1", "0", "-1", "99", "18446744073709551616", "bank", "", "%", "%zz", "/"],
    ...["data/priv_validator_state.json", "true", "AAAA", "BOND_STATUS_BONDED", "2", field],
  ]);
}

function drawRequest(draw: Draw): Request {
  const world = draw.pick(WORLDS);
  const context = worldOf(world);
  const { method, name, paths } = draw.pick(QUERY_ROUTES);
  const height = draw.pick(["", "0", "1", "5", `${context.sim.height}`, "-1", "1e3", "999999999"]);
  if (draw.chance(0.4)) {
    const body = Object.fromEntries(
      method.input.fields.map(({ name: field }) => [field, valuesFor(draw, context, field)]),
    );
    const sent = draw.chance(0.5) ? mutateValue(draw, body) : body;
    const query = draw.chance(0.95) ? name : mutateText(draw, name);
    return { world, query, body: sent, height: Number(height) || 0 };
  }
  const path = draw
    .pick(paths)
    .replace(/\{([^}=]+)[^}]*\}/g, (_, field: string) => valuesFor(draw, context, field));
  const page = ["limit", "offset", "key", "count_total", "reverse"].map(
    (key) => `pagination.${key}=${valuesFor(draw, context, key)}`,
  );
  const fields = method.input.fields.map(
    ({ name: field }) => `${field}=${valuesFor(draw, context, field)}`,
  );
  const query = draw.some([...page, ...fields]).join("&");
  const target = draw.chance(0.5) ? `${path}?${query}` : path;
  return {
    world,
    get: draw.chance(0.2) ? mutateText(draw, target) : target,
    headers: { "x-cosmos-block-height": height },
  };
}

/** Passes queries on and lets no error of the language be hidden by an answer. */
class Watched implements QueryableChain {
  readonly #queries: WorldQueries;
  bug: unknown;

  constructor({ sim, follow }: StepContext) {
    this.#queries = new WorldQueries(sim, follow);
  }

  get height(): number {
    return this.#queries.height;
  }

  *reading(
    name: string,
    request: Message,
    height?: number,
  ): Reading<MessageInitShape<DescMessage>> {
    try {
      return yield* this.#queries.reading(name, request, height);
    } catch (error) {
      if (isLanguageError(error)) this.bug = error;
      throw error;
    }
  }
}

export const requests: Target = {
  name: "requests",
  about: "REST requests and queries by name, with changed paths, pages, heights and bodies",

  async draw(draw: Draw) {
    await tried(requests, drawRequest(draw));
  },

  run(given) {
    const { world, get, headers = {}, query, body, height = 0 }: Request = Object(given);
    if (!WORLDS.includes(world)) return;
    const context = worldOf(world);
    const before = context.sim.revision;
    const chain = new Watched(context);
    if (get !== undefined) {
      const answer = handleRest(chain, "GET", get, headers);
      const text = JSON.stringify(answer.body);
      if (answer.status !== 200) proper(text);
    } else {
      try {
        JSON.stringify(atOnce(queryJson(chain, query ?? "", body, height)));
      } catch (error) {
        if (!(error instanceof StatusError || error instanceof ChainError)) throw error;
        proper(error.message);
      }
    }
    if (chain.bug !== undefined) throw chain.bug;
    assertInvariant("a request changes nothing", context.sim.revision === before, () => world);
  },
};

function proper(message: string): void {
  assertInvariant("texts are for people", !soundsLikeLanguageError(message), () => message);
}
