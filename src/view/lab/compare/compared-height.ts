import { setAddressPrefix } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import type { App } from "../../../engine/app/app.ts";
import { describeEntry } from "../../../engine/app/describe.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { CommittedState } from "../../../engine/store/committed-state.ts";
import type { ReadEntry } from "../explorer/divergence.ts";
import { nameOf, ownersOf } from "../explorer/entry-names.ts";
import { headerView } from "../explorer/header.ts";
import type { FrameBuilder, WorldFrame } from "../frame/frame.ts";
import { type BlockContent, BlockReader } from "./block-content.ts";

/** A world at the end of a height, as one side of a comparison. */
export interface ComparedHeight {
  readonly height: number;
  /** Undefined before the first block. */
  readonly block: BlockContent | undefined;
  /** In hex; empty before the first block. */
  readonly validatorsHash: string;
  readonly frame: WorldFrame;
  readonly state: CommittedState;
  readonly appHash: string;
  /** Number of commands up to the height. */
  readonly commands: number;
  /** Formats an entry of its stores as its own application reads it, and names its key. */
  readonly readEntry: ReadEntry;
}

/** The data for comparing a world at the end of a height. */
export function comparedHeight(sim: Simulation, frames: FrameBuilder): ComparedHeight {
  const { height } = sim;
  const owners = ownersOf(sim);
  const app: App = sim.read((_, one) => one);
  const header = sim.header(height);
  const state = sim.state();
  const { prefix } = sim.spec;
  return {
    height,
    block: new BlockReader(sim).read(height),
    validatorsHash: header === undefined ? "" : headerView(header).validatorsHash,
    // Without cells and activity, which are not compared.
    frame: frames.build({ blocksAfter: height, activityAfter: Number.MAX_SAFE_INTEGER }),
    state,
    appHash: toHexUpper(state.appHash),
    commands: sim.journalLength,
    readEntry(store, key, value) {
      // The other side may have another prefix.
      setAddressPrefix(prefix);
      const entry = describeEntry(app, store, key, value);
      return { name: nameOf(entry, owners), text: entry.value };
    },
  };
}
