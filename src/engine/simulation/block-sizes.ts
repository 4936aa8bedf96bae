import { type Time, toTimestamp } from "../../base/time.ts";
import { uvarintSize } from "../../base/varint.ts";
import { evidenceListEntrySize } from "../consensus/evidence.ts";
import { writeHeader } from "../consensus/header.ts";
import { ProtoWriter } from "../consensus/wire.ts";
import { blockSize } from "./decided-blocks.ts";
import type { Simulation } from "./simulation.ts";

/** Size of a message or byte field with a number below 16, including tag and length. */
const framed = (length: number): number => 1 + uvarintSize(length) + length;
/** Size of a number in such a field; 0 is omitted. */
const whole = (value: number): number => (value === 0 ? 0 : 1 + uvarintSize(value));

function stamp(time: Time): number {
  const { seconds, nanos } = toTimestamp(time);
  return framed(whole(Number(seconds)) + whole(nanos));
}

/** Size of a commit signature without its time: flag, address and 64 bytes of signature. */
const SIGNED = 2 + framed(20) + framed(64);
/** Go's zero time lies before 1970: its seconds take ten bytes. */
const ABSENT = framed(2 + framed(1 + 10));
/** Size of a block id: hash, number of parts and their hash. */
const BLOCK_ID = framed(framed(32) + framed(2 + framed(32)));

/**
 * Block sizes, equal to those of `blockSize` but computed without encoding, for consecutive blocks:
 * most bytes are the same in all headers and commits of a chain. Encoding each block would take
 * half as long as producing it.
 */
export class BlockSizes {
  readonly #sim: Simulation;
  /** Size of every header without height and time. */
  #header: number | undefined;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Size of a committed block in bytes; undefined if there is none. */
  of(height: number): number | undefined {
    const { network } = this.#sim;
    const { blocks } = network.ledger;
    const time = blocks.timeAt(height);
    if (time === undefined || height === blocks.initialHeight) return blockSize(this.#sim, height);
    this.#header ??= this.#constantOf(height, time);
    const { txs, evidence } = blocks.bodyAt(height);
    const usual = stamp(time);
    return (
      framed(this.#header + whole(height) + usual) +
      framed(txs.reduce((sum, tx) => sum + framed(tx.length), 0)) +
      framed(evidence.reduce((sum, one) => sum + evidenceListEntrySize(one), 0)) +
      framed(this.#commitFor(height - 1, time, usual))
    );
  }

  #constantOf(height: number, time: Time): number {
    const header = this.#sim.network.reader.header(height);
    if (header === undefined) return 0;
    return writeHeader(new ProtoWriter(), header).view().length - whole(height) - stamp(time);
  }

  /** Size of the commit for a block, which is in the next block. */
  #commitFor(height: number, next: Time, nextStamp: number): number {
    const { blocks } = this.#sim.network.ledger;
    const absent = blocks.absentAt(height);
    const present = blocks.validatorsAt(height).size - absent.length;
    const times = blocks.voteTimesAt(height);
    const isUsual = times === undefined || times.usual === next;
    const usual = framed(SIGNED + (isUsual ? nextStamp : stamp(times.usual)));
    let signed = present * usual;
    for (const [place, time] of times?.others ?? []) {
      if (!absent.includes(place)) signed += framed(SIGNED + stamp(time)) - usual;
    }
    return (
      whole(height) + whole(blocks.roundAt(height)) + BLOCK_ID + signed + absent.length * ABSENT
    );
  }
}
