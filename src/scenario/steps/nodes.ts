import * as v from "valibot";
import type { SidecarSettings } from "../../engine/network/sidecar/sidecar.ts";
import type { NodeAction } from "../../engine/simulation/command.ts";
import { allOrNamed, flag, height, LIMITS, map, oneOf, text, whole } from "../fields.ts";
import type { ArgumentCheck } from "../names.ts";
import { defineVerb } from "../verb.ts";

const yes = v.literal(true, "true");

const ACTIONS = {
  stop: yes,
  start: yes,
  binary: text,
  stage: text,
  sidecar: map({
    mode: oneOf("manual", "staged", "download"),
    restart_after_upgrade: v.optional(flag),
    must_have_checksum: v.optional(flag),
    backup: v.optional(flag),
    pre_upgrade_max_retries: v.optional(whole(0, 1_000)),
    pre_upgrade_exits: v.optional(v.array(whole(0, 255), "a list of exit codes")),
  }),
  skip_upgrades: v.array(height, "a list of heights"),
  halt_height: whole(0, LIMITS.height),
  twin: yes,
  lose_signer_state: yes,
  roll_back: whole(1, LIMITS.height),
  state_sync: text,
  wipe: yes,
  disk: map({ writable: flag }),
  write_file: map({ path: text, content: text }),
  remove_file: text,
} as const;

type Actions = { [K in keyof typeof ACTIONS]: v.InferOutput<(typeof ACTIONS)[K]> };
type ActionName = keyof Actions;

const NAMES = Object.keys(ACTIONS) as ActionName[];

const args = v.pipe(
  map({
    which: allOrNamed("nodes"),
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
  skip_upgrades: (heights) => ({ kind: "skip_upgrades", heights }),
  halt_height: (at) => ({ kind: "halt_height", height: at }),
  twin: () => ({ kind: "twin" }),
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
    mustHaveChecksum: written.must_have_checksum,
    backup: written.backup,
    preUpgradeMaxRetries: written.pre_upgrade_max_retries,
    preUpgradeExits: written.pre_upgrade_exits,
  };
  // What is not written keeps its default; an undefined value would not be plain data.
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as unknown as SidecarSettings;
}
