import * as v from "valibot";
import { formatRfc3339, parseRfc3339, SECOND, type Time } from "../../base/time.ts";
import { consensusHalt } from "../../engine/framework/halt.ts";
import { SKIP_FORMS, skipArgs } from "../../engine/network/node/start-args.ts";
import type { SidecarSettings } from "../../engine/network/sidecar/sidecar.ts";
import type { NodeAction } from "../../engine/simulation/command.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { namesOf } from "../../view/lab/diagnosis/diagnosis.ts";
import {
  about,
  allOrNamed,
  choice,
  duration,
  flag,
  height,
  integer,
  isList,
  isMap,
  isText,
  LIMITS,
  list,
  map,
  oneOf,
  text,
  time,
} from "../fields.ts";
import { type NodeAfter, nodesAfter } from "../foresight.ts";
import type { ArgumentCheck } from "../names.ts";
import { readByReferences, resolveAll } from "../references.ts";
import { because } from "../rounds.ts";
import type { StepContext } from "../step-context.ts";
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
    "manual: no sidecar. staged: switches to binaries on the disk. download: may also download them.",
  ),
  restart_after_upgrade: about(
    v.optional(flag),
    "Restarts the node after the switch. Default: true.",
  ),
  restart_delay: about(
    v.optional(duration),
    "Delay after the node has stopped, before the backup. Default: none.",
  ),
  shutdown_grace: about(
    v.optional(duration),
    "Time between interrupting the node and killing it. Default: none, it is killed at once.",
  ),
  shutdown_takes: about(v.optional(duration), "Time that the node needs to exit. Default: none."),
  poll_interval: about(
    v.optional(duration),
    "Interval between looks for upgrade-info.json. Default: 300ms.",
  ),
  must_have_checksum: about(
    v.optional(flag),
    "Requires a checksum if a plan's info is a URL; URLs of binaries never need one. Default: false.",
  ),
  backup: about(v.optional(flag), "Backs up the node's data before the switch. Default: true."),
  backup_dir: about(
    v.optional(absolutePath),
    "Absolute path of the folder for backups. It must exist when the sidecar starts. Default: the node's home.",
  ),
  custom_pre_upgrade: about(
    v.optional(scriptName),
    "Script in cosmovisor/ that runs before the switch. Its exit status is that of the exit in its last line. Default: none.",
  ),
  recase: about(
    v.optional(flag),
    "Converts a plan's name to lower case to find its folder. Default: true.",
  ),
  pre_upgrade_max_retries: about(
    v.optional(integer(0, 1_000)),
    "Maximum retries of the pre-upgrade command. Default: 0.",
  ),
  pre_upgrade_exits: about(
    v.optional(list(integer(0, 255), "a list of exit codes")),
    "Exit codes of the new binary's pre-upgrade command, one for each attempt. Default: it has no such command.",
  ),
});

const heights = list(height, "a list of heights");

/** An action on a node, with its parsed value. */
interface Doing {
  readonly action: NodeAction;
  /** Sentence about its effect on some of the nodes, from what it does to one of them in a copy. */
  sentence(who: string, node: NodeAfter, context: StepContext): string;
  check(check: ArgumentCheck): void;
}

interface Further<T> {
  sentence?(who: string, value: T, node: NodeAfter, sim: Simulation): string;
  check?(check: ArgumentCheck, value: T): void;
}

const doing = <S extends v.GenericSchema>(
  schema: S,
  description: string,
  action: (value: v.InferOutput<S>) => NodeAction,
  { sentence, check }: Further<v.InferOutput<S>> = {},
) =>
  v.pipe(
    schema,
    v.description(description),
    v.transform(
      (value: v.InferOutput<S>): Doing => ({
        action: action(value),
        sentence: (who, node, context) =>
          sentence
            ? sentence(who, resolveAll(context, value), node, context.sim)
            : processSentence(who, node) || unchangedSentence(who, node),
        check: (checking) => check?.(checking, value),
      }),
    ),
  );

const agree = (who: string, one: string, many: string): string => (who.includes(", ") ? many : one);

/** The start or end of the process; empty if neither, or if it ends by itself. */
function processSentence(who: string, { before, after, ended }: NodeAfter): string {
  if (ended || !before || !after || before.process === after.process) return "";
  if (after.process === "running") return `The process of ${who} is started.`;
  return before.process === "exited" ? "" : `The process of ${who} ends.`;
}

function unchangedSentence(who: string, { before, ended }: NodeAfter): string {
  if (ended) return "";
  if (before?.process === "exited") return `${who} ${agree(who, "has", "have")} exited already.`;
  return `${who} ${agree(who, "is", "are")} ${before?.process} already.`;
}

/**
 * Sentences about nodes; those with the same sentence are named together.
 * @param all number of nodes of which the sentence is about every node
 */
export function sentencesAbout(
  nodes: readonly NodeAfter[],
  about: (who: string, node: NodeAfter) => string,
  all?: number,
): string {
  const alike = new Map<string, NodeAfter[]>();
  for (const node of nodes) {
    const sentence = about("", node);
    const group = alike.get(sentence);
    if (group) group.push(node);
    else if (sentence !== "") alike.set(sentence, [node]);
  }
  const sentences = [...alike.values()].flatMap((group) => {
    const who = group.length === all ? "every node" : namesOf(group);
    return group.slice(0, 1).map((node) => about(who, node));
  });
  return sentences.join(" ").replace(/(?<=^|\. )every/g, "Every");
}

/** The reason of a halt or an exit that the action causes, or of a sidecar's end. */
export function endSentence(who: string, { ended, sidecarEnd }: NodeAfter): string {
  if (ended) {
    const ends =
      ended.process === "halted" ? agree(who, "halts", "halt") : agree(who, "exits", "exit");
    const at = consensusHalt(ended) ? ` at block ${ended.height + 1}` : "";
    return `${who} ${ends}${at}: ${because(ended.reason)}`;
  }
  if (sidecarEnd?.kind !== "panic") return "";
  return `The sidecar of ${who} ends: ${because(sidecarEnd.error)}`;
}

const haltTimeText =
  "0, or a time in whole seconds after 1970, with Z or an offset, such as 2026-01-01T00:01:30Z";

/** RFC 3339, as `--halt-time` takes it: seconds since 1970. */
const haltTime = choice(
  haltTimeText,
  [
    isText,
    v.pipe(
      v.string(),
      v.check((source) => v.is(time, source) && isWholeSecond(parseRfc3339(source)), haltTimeText),
      v.transform((source) => Number(parseRfc3339(source) / SECOND)),
    ),
  ],
  [() => true, v.literal(0, haltTimeText)],
);

/** A node refuses the block of its halt height and every later one (rules/upgrade 4.6). */
function haltHeightSentence(who: string, at: number, node: NodeAfter, sim: Simulation): string {
  if (at === 0) return `The halt height of ${who} is removed. ${processSentence(who, node)}`;
  const { ended, after } = node;
  if (ended && ended.haltCause?.kind !== "halt_height") return "";
  const next = Math.max((ended ?? after)?.height ?? 0, sim.initialHeight - 1) + 1;
  const block = ended ? next : Math.max(at, next);
  const late = block > at ? `, as height ${at} has passed` : "";
  return `Block ${block} halts ${who}${late}${ended ? "" : ", if it comes"}.`;
}

const isWholeSecond = (at: Time): boolean => at > 0n && at % SECOND === 0n;

const ACTIONS = {
  stop: doing(yes, "Stops the process.", () => ({ kind: "stop" })),
  start: doing(yes, "Starts the process.", () => ({ kind: "start" })),
  binary: doing(
    text,
    "Installs this binary and starts or restarts the node with it.",
    (binary) => ({ kind: "install", binary }),
    {
      sentence: (who, binary, { ended }) =>
        `Binary ${binary} is installed on ${who}${ended ? "" : " and started"}.`,
      check: (check, binary) => check.binary(binary, "binary"),
    },
  ),
  stage: doing(
    text,
    "Installs this binary on the disk, for the sidecar or a later restart.",
    (binary) => ({ kind: "stage", binary }),
    {
      sentence: (who, binary) => `Binary ${binary} is placed on the disk of ${who}.`,
      check: (check, binary) => check.binary(binary, "stage"),
    },
  ),
  sidecar: doing(
    sidecar,
    "Settings of the node's upgrade sidecar (Cosmovisor).",
    (settings) => ({ kind: "sidecar", sidecar: sidecarSettings(settings) }),
    {
      sentence(who, { mode }, { name, after, sidecarEnd }, sim) {
        if (mode === "manual") {
          return `No sidecar watches over ${who}${sim.sidecar(name) ? " any more" : ""}.`;
        }
        if (sidecarEnd) return "";
        const binaries = mode === "staged" ? "from the disk" : "that it may download";
        const once =
          after?.process === "running" ? "" : `, once ${agree(who, "it is", "they are")} started`;
        return `A sidecar watches over ${who}, with binaries ${binaries}${once}.`;
      },
    },
  ),
  skip_upgrades: doing(
    choice(
      "a list of heights, or a map with heights and form",
      [isList, heights],
      [
        isMap,
        map({
          heights: about(heights, "Heights of the plans."),
          form: about(
            oneOf(...SKIP_FORMS),
            "Form of the flag. comma: 10,20 in one argument; the app reads both, the sidecar reads a single height only. space: 10 20 in two arguments; the app reads the first, the sidecar both. equals: =10,20; the app reads both, the sidecar none.",
          ),
        }),
      ],
    ),
    "Restarts the node with --unsafe-skip-upgrades, to skip the upgrades planned for these heights. Default form: comma.",
    (flag) => ({ kind: "skip_upgrades", ...("heights" in flag ? flag : { heights: flag }) }),
    {
      sentence: (who, flag) => {
        const { heights, form = "comma" } = "heights" in flag ? flag : { heights: flag };
        const args = skipArgs(heights, form).join(" ");
        return `Starts ${who} again ${args === "" ? "without skip heights" : `with ${args}`}.`;
      },
    },
  ),
  // Before the height: where both are given, a time that is refused leaves the height as it was.
  halt_time: doing(
    haltTime,
    "Restarts the node with a halt time: it stops before the first block at or after this time. 0: never.",
    (at) => ({ kind: "halt_time", time: at }),
    {
      sentence(who, at, node) {
        if (at === 0) return `The halt time of ${who} is removed. ${processSentence(who, node)}`;
        if (node.ended && node.ended.haltCause?.kind !== "halt_time") return "";
        return `The first block of ${formatRfc3339(BigInt(at) * SECOND)} or later halts ${who}.`;
      },
    },
  ),
  halt_height: doing(
    integer(0, LIMITS.height),
    "Restarts the node with a halt height: it stops at this height. 0: never.",
    (at) => ({ kind: "halt_height", height: at }),
    { sentence: haltHeightSentence },
  ),
  twin: doing(
    flag,
    "true starts a second node with the same key, named after the first with -twin; false removes it.",
    (starts) => ({ kind: starts ? "twin" : "remove_twin" }),
    {
      sentence(who, starts, { name, after }, sim) {
        if (!starts) return `The second node with the key of ${who} is removed.`;
        if (sim.node(twinOf(name))) return `${who} ${agree(who, "has", "have")} a twin already.`;
        const both =
          after?.process === "running"
            ? " Both sign: if they ever sign different blocks, that is a double sign."
            : "";
        return `A second node with the key of ${who} joins.${both}`;
      },
    },
  ),
  lose_signer_state: doing(
    yes,
    "Restores the data of a stopped node from a backup made before its newest block, and blanks the signer's file (data/priv_validator_state.json). A block that the node had saved but not applied is lost, so it votes on that block again after its start. A running node loses only the file, as with write_file.",
    () => ({ kind: "lose_signer_state" }),
    {
      sentence: (who) =>
        `The signer of ${who} forgets what it has signed, and signs whatever it is asked next.`,
    },
  ),
  roll_back: doing(
    integer(1, LIMITS.height),
    "Number of blocks to roll back; the node must be stopped first.",
    (blocks) => ({ kind: "roll_back", blocks }),
    {
      sentence: (who, blocks) =>
        `${who} ${agree(who, "takes", "take")} back ${blocks === 1 ? "1 block" : `${blocks} blocks`} and will apply them anew when started.`,
    },
  ),
  state_sync: doing(
    text,
    "Restores the node from a snapshot of this node's state.",
    (from) => ({ kind: "state_sync", from }),
    {
      sentence: (who, from, node) =>
        `The state of ${who} is replaced with that of ${from}. ${processSentence(who, node)}`,
      check: (check, from) => check.node(from, "state_sync"),
    },
  ),
  wipe: doing(yes, "Deletes the node's data.", () => ({ kind: "wipe" }), {
    sentence: (who, _, { after }) =>
      `The data of ${who} is deleted. ${after?.process === "stopped" ? `${who} ${agree(who, "stays", "stay")} stopped.` : `${who} ${agree(who, "begins", "begin")} at the first block.`}`,
  }),
  disk: doing(
    map({ writable: about(flag, "false: the node cannot write upgrade-info.json.") }),
    "State of the disk.",
    ({ writable }) => ({ kind: "disk", writable }),
    {
      // Only upgrade-info.json is refused; blocks and files written by hand are not.
      sentence: (who, { writable }) =>
        `${who} can ${writable ? "write" : "no longer write"} upgrade-info.json to disk.`,
    },
  ),
  write_file: doing(
    map({
      path: about(text, "Path of the file, relative to the node's home unless it is absolute."),
      content: about(text, "New content of the file."),
    }),
    "Writes a file on the disk.",
    ({ path, content }) => ({ kind: "write_file", path, content }),
    { sentence: (who, { path }) => `${path} is written on the disk of ${who}.` },
  ),
  remove_file: doing(
    text,
    "Deletes this file, relative to the node's home.",
    (path) => ({ kind: "remove_file", path }),
    {
      sentence: (who, path, { name }, sim) =>
        sim.file(name, path) === undefined
          ? `There is no ${path} on the disk of ${who}.`
          : `${path} is deleted from the disk of ${who}.`,
    },
  ),
} as const;

const NAMES = Object.keys(ACTIONS);

const oneAction = v.pipe(
  map({
    which: about(allOrNamed("nodes"), "Nodes to act on."),
    ...optional(ACTIONS),
  }),
  v.check(
    (input) => doingsIn(input).length === (input.halt_time && input.halt_height ? 2 : 1),
    `exactly one of ${NAMES.join(", ")}; halt_time may stand beside halt_height`,
  ),
);

function optional<E extends Record<string, v.GenericSchema>>(entries: E) {
  const made = Object.entries(entries).map(([key, schema]) => [key, v.optional(schema)]);
  return Object.fromEntries(made) as { [K in keyof E]: v.OptionalSchema<E[K], undefined> };
}

function doingsIn({ which: _, ...input }: { readonly which: unknown } & SourceActions): Doing[] {
  return Object.values(input).flatMap((one) => one ?? []);
}

type SourceActions = { readonly [K in keyof typeof ACTIONS]?: Doing | undefined };

/** Carries out one action on some or all nodes, or sets both values at which they halt. */
export const nodes = defineVerb({
  name: "nodes",
  instant: true,
  tried: true,
  about:
    "Carries out one action on the named nodes; a halt height and a halt time may be set together.",
  args: oneAction,
  check(input, check) {
    const { which } = input;
    if (which !== "all") which.forEach((node, index) => void check.node(node, "which", index));
    for (const one of doingsIn(input)) one.check(check);
  },
  preview(context, input) {
    const { sim } = context;
    const names = namesIn(context, input);
    const doings = doingsIn(input);
    const actions = doings.map(({ action }) => action);
    const twins = actions.some(({ kind }) => kind === "twin") ? names.map(twinOf) : [];
    const added = twins.filter((name) => !names.includes(name) && sim.node(name) === undefined);
    const run = ({ sim: copy }: StepContext) => copy.applyAll(commandsOf(context, input));
    const found = nodesAfter(context, [...names, ...added], run, actions.some(haltsLater));
    const about = (who: string, node: NodeAfter): string => {
      const own = node.before ? doings.map((one) => one.sentence(who, node, context)) : [];
      const isStated = actions.some(({ kind }) => kind === node.ended?.haltCause?.kind);
      const sentences = [...own, isStated ? "" : endSentence(who, node)];
      return sentences
        .map((one) => one.trim())
        .filter(Boolean)
        .join(" ");
    };
    return {
      sentence: sentencesAbout(found, about, input.which === "all" ? names.length : undefined),
    };
  },
  *reads(context, input) {
    yield* readByReferences(context, doingsIn(input));
    for (const command of commandsOf(context, input)) yield* context.sim.readBy(command);
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run(context, input) {
    context.sim.applyAll(commandsOf(context, input));
    return undefined;
  },
});

type Named = SourceActions & { readonly which: "all" | readonly string[] };

const namesIn = ({ sim }: StepContext, { which }: Named): readonly string[] =>
  which === "all" ? sim.nodes().map(({ name }) => name) : which;

function commandsOf(context: StepContext, input: Named) {
  const names = namesIn(context, input);
  return doingsIn(input).flatMap(({ action }) =>
    names.map((node) => ({ type: "node", node, action: resolved(context, action) }) as const),
  );
}

const twinOf = (name: string): string => `${name}-twin`;

const haltsLater = (action: NodeAction): boolean =>
  (action.kind === "halt_height" && action.height > 0) ||
  (action.kind === "halt_time" && action.time > 0);

/** The action with the references in its texts replaced. */
const resolved = (context: StepContext, action: NodeAction): NodeAction =>
  resolveAll(context, action);

function sidecarSettings(source: v.InferOutput<typeof sidecar>): SidecarSettings {
  const settings = {
    mode: source.mode,
    restartAfterUpgrade: source.restart_after_upgrade,
    restartDelay: source.restart_delay,
    shutdownGrace: source.shutdown_grace,
    shutdownTakes: source.shutdown_takes,
    pollInterval: source.poll_interval,
    mustHaveChecksum: source.must_have_checksum,
    backup: source.backup,
    backupDir: source.backup_dir,
    customPreUpgrade: source.custom_pre_upgrade,
    recase: source.recase,
    preUpgradeMaxRetries: source.pre_upgrade_max_retries,
    preUpgradeExits: source.pre_upgrade_exits,
  };
  // Missing settings have their defaults; an undefined value would not be plain data.
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as unknown as SidecarSettings;
}
