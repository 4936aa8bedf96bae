import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toHexUpper } from "../base/bytes.ts";
import { errorText } from "../base/error-text.ts";
import { propertyRuns } from "../base/property.testing.ts";
import type { HistoryRange } from "../engine/simulation/history-range.ts";
import { perform, worldOf, worldSteps } from "../engine/simulation/keyframe/worlds.testing.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { story } from "../engine/simulation/story.testing.ts";
import { missingParts } from "../engine/simulation/world-history.ts";
import { USUAL_RESIDENCE, withAllPages } from "../engine/simulation/world-pages.ts";
import { toBase64 } from "../view/base64.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import { answerOf, type Reading, rangesOf } from "../view/lab/reading.ts";
import { isSessionQuery } from "../view/lab/session-queries.ts";
import { WorldQueries } from "../view/lab/world-queries.ts";
import { queryJson } from "../view/query.ts";
import { QUERY_ROUTES } from "../view/query-routes.ts";
import { RPC_METHODS } from "./rpc/methods.ts";
import { nodeOf } from "./rpc/testing.ts";

/** Pages of a few blocks, and a minimal memory limit. */
const TINY = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
  results: { pageBytes: 1, residentBytes: 1 },
  states: { count: 2, bytes: 1, inKeyframe: 1 },
};
const ROOMY = withAllPages({ ...TINY, states: USUAL_RESIDENCE.states });

const spec = worldOf();

/** A world that answers queries only from the history that they open. */
function asked(
  sim: Simulation,
  open: (range: HistoryRange, opened: Map<string, object>) => void,
  releases = false,
) {
  const follow = lazyObserver(sim);
  follow();
  const queries = new WorldQueries(sim, follow);
  const read = <T>(reading: T | Reading<T>): T => {
    for (const { sealed } of [sim.network.ledger.blocks, Reflect.get(sim, "history")]) {
      // The newest stays.
      for (let i = 0; releases && i < sealed.slots.length - 1; i++) sealed.release(i);
    }
    const opened = new Map<string, object>();
    return sim.with(opened, () => {
      const ranges = rangesOf(answerOf(reading));
      let step = ranges.next();
      for (; !step.done; step = ranges.next()) open(step.value, opened);
      return step.value;
    });
  };
  const node = {
    ...nodeOf(sim),
    query: async <T>(ask: (q: WorldQueries) => T | Reading<T>) => read(ask(queries)),
  };
  return { sim, follow, queries, read, node };
}

const outcome = <T>(act: () => T): unknown => {
  try {
    return act();
  } catch (error) {
    return errorText(error);
  }
};

/** Values for the fields of requests to a world. */
function subjects(sim: Simulation, height: number): Readonly<Record<string, unknown>> {
  const block = sim.block(height);
  const txs = Array.from(sim.eventfulHeights(1, sim.height, true)).flatMap(
    (one) => sim.block(one)?.txs ?? [],
  );
  return {
    ...{ node: "val-1", validator: "val-1", before: 1, after: height, proposal: 1, height },
    ...{
      store: "staking",
      key: "51",
      last: height,
      count: 5,
      path: "data/priv_validator_state.json",
    },
    ...{ from: 1, hash: toHexUpper(block?.hash ?? new Uint8Array()), name: "v2", kind: "block" },
    ...{ id: `${height}`, query: "tx.height>0", tx: txs[height % (txs.length || 1)]?.hash },
  };
}

test("every query opens all that it reads of the past, before it reads it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(story, worldSteps),
      fc.noBias(fc.integer({ min: 0, max: 99 })),
      async (steps, part) => {
        let isAsked = false;
        const below = () => {
          if (isAsked) throw new Error("it reads what it has not opened");
          return Simulation.create(spec, undefined, ROOMY);
        };
        const whole = asked(Simulation.create(spec, undefined, ROOMY), () => {});
        const little = asked(
          Simulation.create(spec, { below }, TINY),
          (range, opened) => {
            for (const one of missingParts(little.sim.partsOf(range), opened)) {
              const { hash } = one;
              const found = hash && { height: whole.sim.heightOf(hash) };
              opened.set(one.key, found ?? (one.read(whole.sim) as object));
            }
          },
          true,
        );
        for (const doing of [...steps, { do: "run", blocks: 12 } as const]) {
          for (const { sim, follow } of [whole, little]) {
            perform(sim, doing);
            follow();
          }
        }
        isAsked = true;
        const height = 1 + Math.floor((part * (whole.sim.height - 1)) / 100);
        const known = subjects(whole.sim, height);
        const others: unknown[] = [];
        const compare = (
          what: readonly unknown[],
          [answer, expected]: readonly unknown[],
        ): void => {
          if (!isDeepStrictEqual(answer, expected)) others.push([...what, answer]);
        };
        for (const { method, name } of QUERY_ROUTES) {
          if (name.startsWith("lab.") && isSessionQuery(method.localName)) continue;
          // Remedies are tried in copies, whose rounds may read more than predicted.
          if (/GetChainStatus|GetSidecar$/.test(name)) continue;
          const request = Object.fromEntries(
            method.input.fields.flatMap(({ name: field, scalar }) => {
              const isDiff = method.localName === "getStateDiff";
              const value =
                (field === "before" || field === "after") && !isDiff ? "val-1" : known[field];
              return scalar === undefined || value === undefined ? [] : [[field, value]];
            }),
          );
          for (const pin of [0, height]) {
            const answers = [little, whole].map(({ queries, read }) =>
              outcome(() => read(queryJson(queries, name, request, pin))),
            );
            compare([name, request, pin], answers);
          }
        }
        for (const kind of ["block", "evidence", "proposal", "plan", "validator", "tx"]) {
          const id = { evidence: "b2-1", proposal: "1", plan: "v2", validator: "val-1" }[kind];
          const tx = known.tx instanceof Uint8Array ? toHexUpper(known.tx) : "00";
          const request = { kind, id: kind === "tx" ? tx : (id ?? `${height}`) };
          const answers = [little, whole].map(({ queries, read }) =>
            outcome(() => read(queries.labReading("getExplanation", request))),
          );
          compare(["getExplanation", request], answers);
        }
        const hash = whole.sim.block(height)?.hash ?? new Uint8Array();
        const tx = known.tx instanceof Uint8Array ? known.tx : new Uint8Array(32);
        for (const [name, method] of RPC_METHODS) {
          if (name.startsWith("broadcast")) continue;
          const params = {
            ...(name !== "genesis_chunked" && { height: `${height}` }),
            hash: name === "tx" ? toBase64(tx) : toBase64(hash),
            query: name === "block_search" ? "block.height>0" : "tx.height>0",
            path: "/store/bank/key",
            data: "00",
          };
          const given = Object.fromEntries(
            Object.entries(params).filter(([field]) => field in method.parameters),
          );
          const answers = await Promise.all(
            [little, whole].map(({ node }) =>
              method.call(node, { from: "json", params: given }).catch(errorText),
            ),
          );
          compare([name, given], answers);
        }
        expect(others).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});
