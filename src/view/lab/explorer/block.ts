import { accAddress, consAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { formatProtoTime } from "../../../base/time.ts";
import { stepText } from "../../../engine/app/step-text.ts";
import { evidenceHash, evidenceHeight, misbehaviorOf } from "../../../engine/consensus/evidence.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Block, NodeFiles, NodeLog } from "../../../gen/lab/v1/lab_plain.ts";
import type { Observer } from "../frame/observer.ts";
import { kindOf } from "./evidence.ts";
import { headerView } from "./header.ts";

/**
 * One block with all its effects; undefined if it is not committed. Validators are shown by name.
 */
export function blockOf(sim: Simulation, observer: Observer, height: number): Block | undefined {
  const block = sim.block(height);
  if (block === undefined) return undefined;
  const nameOf = (address: Uint8Array): string => observer.validators.nameOf(consAddress(address));
  const header = sim.header(height);
  return {
    height,
    hash: toHexUpper(block.hash),
    time: formatProtoTime(block.time),
    proposer: nameOf(block.proposer),
    round: block.round,
    appHash: toHexUpper(block.appHash),
    absent: block.absent.map(nameOf),
    txs: block.txs.map(({ hash, signer, messages, code, codespace, log }) => ({
      hash: toHexUpper(hash),
      signer: accAddress(signer),
      messages: messages.map(({ typeUrl }) => typeUrl),
      code,
      codespace,
      log,
    })),
    events: [...block.events, ...block.txs.flatMap(({ events }) => events)].map(
      ({ type, attributes }) => ({
        type,
        attributes: attributes.map(({ key, value }) => ({ key, value })),
      }),
    ),
    steps: block.steps.map((step) => {
      const { phase, module, outcome, item = 0 } = step;
      return { phase, module, ...stepText(step), outcome, item };
    }),
    evidence: block.evidence.map((evidence) => ({
      kind: kindOf(evidence),
      height: evidenceHeight(evidence),
      hash: toHexUpper(evidenceHash(evidence)),
      nodes: misbehaviorOf(evidence).map(({ address }) => nameOf(address)),
    })),
    ...(header ? { header: headerView(header) } : {}),
  };
}

/** All files on a node's disk, by path. Throws an Error for an unknown node. */
export const nodeFilesOf = (sim: Simulation, node: string): NodeFiles => ({
  files: Array.from(sim.files(node), ([path, content]) => ({ path, content })).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  ),
});

const DEFAULT_LINES = 200;

/** The newest lines of one node's log, oldest first. Throws an Error for an unknown node. */
export function nodeLogOf(sim: Simulation, node: string, limit: number): NodeLog {
  const lines = sim.log(node).slice(-(limit || DEFAULT_LINES));
  return {
    lines: lines.map(({ height, level, module, text }) => ({ height, level, module, text })),
  };
}
