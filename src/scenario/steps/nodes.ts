import * as v from "valibot";
import { SKIP_FORMS } from "../../engine/network/node/start-args.ts";
import type { SidecarSettings } from "../../engine/network/sidecar/sidecar.ts";
import type { NodeAction } from "../../engine/simulation/command.ts";
import {
  about,
  allOrNamed,
  choice,
  duration,
  flag,
  height,
  isList,
  isMap,
  LIMITS,
  map,
  oneOf,
  text,
  whole,
} from "../fields.ts";
import type { ArgumentCheck } from "../names.ts";
import { defineVerb } from "../verb.ts";

const yes = v.literal(true, "true");

/** Below which a backup may lie; the root itself is none. */
const absolutePath = v.pipe(
  v.string("an absolute path such as /mnt/backups"),
  v.regex(/^\/+[^/]/, "an absolute path such as /mnt/backups"),
);

const scriptName = v.pipe(
  v.string("the name of a file in cosmovisor/, such as preupgrade.sh"),
  v.regex(/^[^/]+$/, "the name of a file in cosmovisor/, such as preupgrade.sh"),
);

const sidecar = map({
  mode: about(
    oneOf("manual", "staged", "download"),
    "manual: there is none. staged: it switches to binaries on the disk. download: it may also fetch them.",
  ),
  restart_after_upgrade: about(
    v.optional(flag),
    "Whether it starts the node again after switching; true unless given.",
  ),
  restart_delay: about(
    v.optional(duration),
    "How long it waits between stopping the node and all that follows, the backup first; not at all unless given.",
  ),
  shutdown_grace: about(
    v.optional(duration),
    "How long it lets the node end by itself, once interrupted, before it kills it; it kills it at once unless given.",
  ),
  shutdown_takes: about(
    v.optional(duration),
    "How long the node takes to end by itself; no time unless given.",
  ),
  poll_interval: about(
    v.optional(duration),
    "How often it looks for upgrade-info.json; every 300ms unless given.",
  ),
  must_have_checksum: about(
    v.optional(flag),
    "Whether a plan's info that is an address must carry a checksum; the addresses of binaries need none either way. false unless given.",
  ),
  backup: about(
    v.optional(flag),
    "Whether it copies the node's data before switching; true unless given.",
  ),
  backup_dir: about(
    v.optional(absolutePath),
    "An absolute path below which the copy goes; something must be there when the sidecar starts. The node's home unless given.",
  ),
  custom_pre_upgrade: about(
    v.optional(scriptName),
    "A script in cosmovisor/ that runs before switching; it ends with the status of the exit in its last line. None unless given.",
  ),
  recase: about(
    v.optional(flag),
    "Whether a plan's name loses its capitals where its folder is looked for; true unless given.",
  ),
  pre_upgrade_max_retries: about(
    v.optional(whole(0, 1_000)),
    "How often it tries the pre-upgrade command again; 0 unless given.",
  ),
  pre_upgrade_exits: about(
    v.optional(v.array(whole(0, 255), "a list of exit codes")),
    "Exit codes of the new binary's pre-upgrade command, attempt by attempt; it has no such command unless given.",
  ),
});

const heights = v.array(height, "a list of heights");

const ACTIONS = {
  stop: about(yes, "Stops the process."),
  start: about(yes, "Starts the process."),
  binary: about(text, "Installs this binary and starts or restarts the node with it."),
  stage: about(text, "Places this binary on the disk, for the sidecar or a later restart."),
  sidecar: about(sidecar, "Sets how the node is watched over by an upgrade sidecar."),
  skip_upgrades: about(
    choice(
      "a list of heights, or a map with heights and form",
      [isList, heights],
      [
        isMap,
        map({
          heights,
          form: about(
            oneOf(...SKIP_FORMS),
            "How the flag is written. comma: 10,20 in one argument, of which the app takes both and the sidecar none, but a single height. space: 10 20 in two arguments, of which the app takes the first and the sidecar both. equals: =10,20, which the app takes and the sidecar never.",
          ),
        }),
      ],
    ),
    "Restarts the node with --unsafe-skip-upgrades, so that it skips the upgrades planned for these heights; written with commas unless a form is given.",
  ),
  halt_height: about(
    whole(0, LIMITS.height),
    "Restarts the node so that it stops by itself at this height; 0 is never.",
  ),
  twin: about(
    flag,
    "true starts a second machine with the same key, named after the first with -twin; false takes it away.",
  ),
  lose_signer_state: about(
    yes,
    "An over-eager reset: the node's data is put back from a backup made before its newest block, and the signer's file, which notes what was signed, is blank. A block that the node had saved and not applied is lost, so it votes on that block again when it is started. A running node loses the file alone; so does write_file on data/priv_validator_state.json, whatever the node does.",
  ),
  roll_back: about(
    whole(1, LIMITS.height),
    "Takes back so many blocks; the node must be stopped first.",
  ),
  state_sync: about(text, "Restores the node from a snapshot of this node's state."),
  wipe: about(yes, "Deletes the node's data."),
  disk: about(
    map({ writable: about(flag, "Whether the disk takes writes.") }),
    "Sets how the disk is.",
  ),
  write_file: about(
    map({
      path: about(text, "A file below the node's home; anywhere if it begins with /."),
      content: about(text, "What it holds from now on."),
    }),
    "Writes a file on the disk.",
  ),
  remove_file: about(text, "Deletes this file, below the node's home."),
} as const;

type Actions = { [K in keyof typeof ACTIONS]: v.InferOutput<(typeof ACTIONS)[K]> };
type ActionName = keyof Actions;

const NAMES = Object.keys(ACTIONS) as ActionName[];

const args = v.pipe(
  map({
    which: about(allOrNamed("nodes"), "The nodes that it is done to."),
    ...(optional(ACTIONS) as {
      [K in ActionName]: v.OptionalSchema<(typeof ACTIONS)[K], undefined>;
    }),
  }),
  v.check(
    (given) => NAMES.filter((name) => given[name] !== undefined).length === 1,
    `exactly one of ${NAMES.join(", ")}`,
  ),
);

function optional(entries: Record<string, v.GenericSchema>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, schema]) => [key, v.optional(schema)]),
  );
}

/** Does one thing to the machines of some or all nodes. */
export const nodes = defineVerb({
  name: "nodes",
  about: "Does one thing to the machines of the nodes named.",
  args,
  check({ which: chosen, binary, stage, state_sync: from }, check: ArgumentCheck) {
    if (chosen !== "all") chosen.forEach((node, index) => void check.node(node, "which", index));
    if (binary !== undefined) check.binary(binary, "binary");
    if (stage !== undefined) check.binary(stage, "stage");
    if (from !== undefined) check.node(from, "state_sync");
  },
  *run({ sim }, { which: chosen, ...given }) {
    const action = actionOf(given);
    const names = chosen === "all" ? sim.nodes().map(({ name }) => name) : chosen;
    for (const node of names) sim.apply({ type: "node", node, action });
    return undefined;
  },
});

function actionOf(given: { [K in ActionName]?: Actions[K] | undefined }): NodeAction {
  const name = NAMES.find((key) => given[key] !== undefined) as ActionName;
  return ACTION[name](given[name] as never);
}

const ACTION: { [K in ActionName]: (value: Actions[K]) => NodeAction } = {
  stop: () => ({ kind: "stop" }),
  start: () => ({ kind: "start" }),
  binary: (binary) => ({ kind: "install", binary }),
  stage: (binary) => ({ kind: "stage", binary }),
  sidecar: (settings) => ({ kind: "sidecar", sidecar: sidecarSettings(settings) }),
  skip_upgrades: (flag) => ({
    kind: "skip_upgrades",
    ...("heights" in flag ? flag : { heights: flag }),
  }),
  halt_height: (at) => ({ kind: "halt_height", height: at }),
  twin: (starts) => ({ kind: starts ? "twin" : "remove_twin" }),
  lose_signer_state: () => ({ kind: "lose_signer_state" }),
  roll_back: (blocks) => ({ kind: "roll_back", blocks }),
  state_sync: (from) => ({ kind: "state_sync", from }),
  wipe: () => ({ kind: "wipe" }),
  disk: ({ writable }) => ({ kind: "disk", writable }),
  write_file: ({ path, content }) => ({ kind: "write_file", path, content }),
  remove_file: (path) => ({ kind: "remove_file", path }),
};

function sidecarSettings(written: Actions["sidecar"]): SidecarSettings {
  const settings = {
    mode: written.mode,
    restartAfterUpgrade: written.restart_after_upgrade,
    restartDelay: written.restart_delay,
    shutdownGrace: written.shutdown_grace,
    shutdownTakes: written.shutdown_takes,
    pollInterval: written.poll_interval,
    mustHaveChecksum: written.must_have_checksum,
    backup: written.backup,
    backupDir: written.backup_dir,
    customPreUpgrade: written.custom_pre_upgrade,
    recase: written.recase,
    preUpgradeMaxRetries: written.pre_upgrade_max_retries,
    preUpgradeExits: written.pre_upgrade_exits,
  };
  // What is not written keeps its default; an undefined value would not be plain data.
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as unknown as SidecarSettings;
}
