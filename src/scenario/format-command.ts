/** Converts commands to the scenario steps that issue them. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { equal } from "../base/bytes.ts";
import { INPUT } from "../base/limits.ts";
import { literal } from "../base/reference-syntax.ts";
import { formatRfc3339, SECOND } from "../base/time.ts";
import { unreachable } from "../base/unreachable.ts";
import type { SidecarSettings } from "../engine/network/sidecar/sidecar.ts";
import type { Command, FaultCommand, NodeAction } from "../engine/simulation/command.ts";
import { toBase64 } from "../view/base64.ts";
import { anyFromJson, anyToSparseJson, type Json } from "../view/json.ts";
import { durationText } from "./genesis-params.ts";
import { stepTitle } from "./step-title.ts";

/** A step as in a file. */
export type SourceStep = Readonly<Record<string, unknown>>;

/** Thrown for a command that the format cannot express; the message names its kind. */
export class NoWord extends Error {}

/** Commands that are neither transactions nor part of the genesis. */
export type PlainCommand = Exclude<Command, { type: "tx" | "signed_tx" | "binary" }>;

/** The step that issues a command. Throws a NoWord. */
export function formatCommand(command: PlainCommand): SourceStep {
  switch (command.type) {
    case "misbehavior": {
      const { kind, validator, height, time, power } = command;
      return {
        misbehavior: {
          type: MISBEHAVIOR[kind] ?? "unknown",
          validators: [validator],
          height,
          ...(time === undefined ? {} : { time: formatRfc3339(time) }),
          ...(power === undefined ? {} : { power }),
        },
      };
    }
    case "double_sign":
      return { double_sign: { node: command.node } };
    case "light_client_attack": {
      const { kind, by, height } = command;
      return {
        light_client_attack: { kind, by: [...by], ...(height === undefined ? {} : { height }) },
      };
    }
    case "node":
      return { nodes: { which: [command.node], ...formatAction(command.action) } };
    case "partition":
      return { partition: command.groups.length === 0 ? "heal" : formatGroups(command.groups) };
    case "heal":
      return { partition: "heal" };
    case "fault":
      return { fault: formatFault(command) };
    case "chaos":
      return { fault: { chaos: command.level, for: command.for } };
    case "clear_faults":
      return { fault: { clear: command.node ?? "all" } };
    case "release": {
      const { name, url, serves } = command;
      return { release: { name, url: literal(url), serves } };
    }
    case "tamper":
      throw new NoWord(
        `a byte of ${command.store} changed by hand, which makes all that follows impossible`,
      );
    default:
      return unreachable(command);
  }
}

/** All others are unknown to the app, including those that a scenario calls unknown. */
const MISBEHAVIOR: Readonly<Record<number, string>> = {
  1: "duplicate_vote",
  2: "light_client_attack",
};

const formatGroups = (groups: readonly (readonly string[])[]): string[][] =>
  groups.map((group) => [...group]);

function formatFault(fault: FaultCommand): SourceStep {
  const { at, for: heights } = fault;
  const when = {
    ...(at === undefined ? {} : { at }),
    ...(heights === undefined ? {} : { for: heights }),
  };
  if (fault.kind === "partition") {
    return { kind: fault.kind, groups: formatGroups(fault.groups), ...when };
  }
  const { node, kind, by, probability } = fault;
  return {
    node,
    kind,
    ...when,
    ...(by === undefined ? {} : { by: durationText(by) }),
    ...(probability === undefined ? {} : { probability }),
  };
}

function formatAction(action: NodeAction): SourceStep {
  switch (action.kind) {
    case "stop":
    case "start":
    case "twin":
    case "lose_signer_state":
    case "wipe":
      return { [action.kind]: true };
    case "remove_twin":
      return { twin: false };
    case "install":
      return { binary: action.binary };
    case "stage":
      return { stage: action.binary };
    case "sidecar":
      return { sidecar: formatSidecar(action.sidecar) };
    case "skip_upgrades": {
      const { heights, form } = action;
      return { skip_upgrades: form === undefined ? [...heights] : { heights: [...heights], form } };
    }
    case "halt_height":
      return { halt_height: action.height };
    case "halt_time":
      return {
        halt_time: action.time === 0 ? 0 : formatRfc3339(BigInt(action.time) * SECOND),
      };
    case "roll_back":
      return { roll_back: action.blocks };
    case "state_sync":
      return { state_sync: action.from };
    case "disk":
      return { disk: { writable: action.writable } };
    case "write_file":
      return { write_file: { path: literal(action.path), content: literal(action.content) } };
    case "remove_file":
      return { remove_file: literal(action.path) };
    default:
      return unreachable(action);
  }
}

function formatSidecar(settings: SidecarSettings): SourceStep {
  const source = {
    mode: settings.mode,
    restart_after_upgrade: settings.restartAfterUpgrade,
    restart_delay: ofDuration(settings.restartDelay),
    shutdown_grace: ofDuration(settings.shutdownGrace),
    shutdown_takes: ofDuration(settings.shutdownTakes),
    poll_interval: ofDuration(settings.pollInterval),
    must_have_checksum: settings.mustHaveChecksum,
    backup: settings.backup,
    backup_dir: settings.backupDir === undefined ? undefined : literal(settings.backupDir),
    custom_pre_upgrade:
      settings.customPreUpgrade === undefined ? undefined : literal(settings.customPreUpgrade),
    recase: settings.recase,
    pre_upgrade_max_retries: settings.preUpgradeMaxRetries,
    pre_upgrade_exits: settings.preUpgradeExits && [...settings.preUpgradeExits],
  };
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}

const ofDuration = (duration: bigint | undefined): string | undefined =>
  duration === undefined ? undefined : durationText(duration);

/**
 * Messages in scenario format, with references for known texts. Throws a NoWord for one that would
 * not be encoded to the same bytes.
 */
export function formatMessages(
  messages: readonly Any[],
  references: ReadonlyMap<string, string>,
): readonly unknown[] {
  return messages.map((message) => {
    const json = anyToSparseJson(message);
    if (!readsAs(json, message)) {
      throw new NoWord(
        `a message of type ${message.typeUrl} has bytes that its fields do not give again`,
      );
    }
    return escaped(json, references);
  });
}

function readsAs(json: Json, { typeUrl, value }: Any): boolean {
  try {
    const read = anyFromJson(json);
    return read.typeUrl === typeUrl && equal(read.value, value);
  } catch {
    return false;
  }
}

/** The same JSON, with its texts escaped for the resolver of references. */
function escaped(json: Json, references: ReadonlyMap<string, string>): unknown {
  if (typeof json === "string") return references.get(json) ?? literal(json);
  if (Array.isArray(json)) return json.map((item) => escaped(item, references));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      key === "@type" ? value : escaped(value, references),
    ]),
  );
}

/**
 * A signed transaction in step format. Throws a NoWord for one that exceeds the length limit of a
 * text.
 */
export function formatBytes(bytes: Uint8Array): string {
  const text = toBase64(bytes);
  if (text.length > INPUT.text) {
    throw new NoWord(
      `a signed transaction of ${bytes.length} bytes is longer than a text of a file may be`,
    );
  }
  return text;
}

/** A command in a few words, for lists. */
export function commandText(command: Command): string {
  switch (command.type) {
    case "tx":
      return `tx ${command.signer}: ${command.messages.map(({ typeUrl }) => typeUrl.replace(/^.*\./, "")).join(", ")}`;
    case "signed_tx":
      return "tx signed by a client";
    case "binary":
      return `binary ${command.binary.name}`;
    case "tamper":
      return `tamper ${command.store}`;
    default: {
      const [verb = "", args] = Object.entries(formatCommand(command))[0] ?? [];
      return `${verb} ${stepTitle(verb, args)}`;
    }
  }
}
