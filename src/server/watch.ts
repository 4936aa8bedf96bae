/** The streams of lab.v1.Watch: each runs at its reader's speed, from the chain's own record. */
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { SERVER } from "../base/limits.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import { BlockSchema, FrameSchema } from "../gen/lab/v1/lab_pb.ts";
import type { Block } from "../gen/lab/v1/lab_plain.ts";
import { Watch, WatchedEventSchema } from "../gen/lab/v1/watch_pb.ts";
import type { Session } from "../session/session.ts";
import type { SessionHost } from "../session/session-host.ts";
import { connectError } from "./errors.ts";
import type { QueriedChain } from "./queried-chain.ts";

const FRAME_EVERY_MS = 100;

type Bugs = Pick<QueriedChain, "reportBug">;

/** A chain with notifications. */
export interface WatchedChain {
  readonly session: Session;
  /** Resolves when there may be new blocks, or another world, or at once when it is aborted. */
  nextBlock(signal: AbortSignal): Promise<void>;
}

/** Polls for blocks as often as for frames, if there are no notifications. */
export const looking = (session: Session): WatchedChain => ({
  session,
  nextBlock: (signal) => pause(FRAME_EVERY_MS, signal),
});

/** Answers the streams of a chain; `place` is the chain as seen by a client without control. */
export function watch(
  router: ConnectRouter,
  chain: WatchedChain,
  host: Pick<SessionHost, "getFrame">,
  bugs: Bugs,
): void {
  const streams = new Streams(bugs);
  router.service(Watch, {
    blocks: ({ from }, { signal }) =>
      streams.of(async function* () {
        for await (const block of blocksFrom(chain, from, signal))
          yield create(BlockSchema, plain(block));
      }),
    events: ({ from, type }, { signal }) =>
      streams.of(async function* () {
        for await (const block of blocksFrom(chain, from, signal)) {
          for (const event of block.events) {
            if (type === "" || event.type === type)
              yield create(WatchedEventSchema, plain({ height: block.height, event }));
          }
        }
      }),
    frames: (_, { signal }) =>
      streams.of(async function* () {
        for (let revision = -1; !signal.aborted; ) {
          const frame = host.getFrame({ revision });
          if (frame.revision !== revision) yield create(FrameSchema, plain(frame));
          revision = frame.revision;
          await pause(FRAME_EVERY_MS, signal);
        }
      }),
  });
}

/** Marks a plain message for `create`, which returns it unchanged. */
const plain = <D extends DescMessage>(message: object) => message as MessageInitShape<D>;

/** Limits the concurrent streams of a server. */
class Streams {
  readonly #bugs: Bugs;
  #open = 0;

  constructor(bugs: Bugs) {
    this.#bugs = bugs;
  }

  async *of<T>(stream: () => AsyncIterable<T>): AsyncIterable<T> {
    if (this.#open >= SERVER.streams) {
      throw connectError(
        new StatusError(STATUS.unavailable, "too many streams are open"),
        this.#bugs,
      );
    }
    this.#open += 1;
    try {
      yield* stream();
    } catch (error) {
      throw connectError(error, this.#bugs);
    } finally {
      this.#open -= 1;
    }
  }
}

/**
 * Every block from a height on, or from the next one, until it is aborted or another world is
 * played.
 */
async function* blocksFrom(
  chain: WatchedChain,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  const { session } = chain;
  const { world } = session;
  const first = Math.max(from || session.sim.height + 1, session.sim.initialHeight);
  for (let height = first; !signal.aborted; height++) {
    while (height > session.sim.height && session.world === world) {
      await chain.nextBlock(signal);
      if (signal.aborted) return;
    }
    if (session.world !== world) {
      throw new StatusError(STATUS.unavailable, "another world has taken the place of this one");
    }
    yield await session.query((queries) => queries.labReading("getBlock", { height }));
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
