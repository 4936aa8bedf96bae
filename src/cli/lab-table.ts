/**
 * Actions of `chainlab lab` on a running chain: each command issues one step of a scenario, or
 * controls its clock.
 */
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { readHeight, readPositive, readSpeed } from "./flags.ts";
import { control, type LabEntry, parametersIn, type Values } from "./lab-entry.ts";
import { FORK } from "./lab-worlds.ts";

const step = (
  takes: string,
  brief: string,
  example: string,
  text: (values: Values) => object,
): LabEntry => ({ brief, example, params: parametersIn(takes), step: text });

type Action = NonNullable<LabRequest<"control">["action"]>;

/** A request to the clock. */
const actionOf = <C extends Action["case"]>(
  kind: C,
  value: Extract<Action, { readonly case: C }>["value"],
): LabRequest<"control"> => ({ action: { case: kind, value } as Action });

const names = (text: string | undefined): readonly string[] => (text ?? "").split(",");

/** The field with its value as a number, if there is one. */
const number = (field: string, text: string | undefined): object =>
  text === undefined ? {} : { [field]: readHeight(text) };

/** Nodes by name, or all of them. */
const which = ({ nodes }: Values) => ({ which: nodes === "all" ? "all" : names(nodes) });

/** A command for an action on nodes. */
const toNodes = (
  takes: string,
  brief: string,
  example: string,
  action: (values: Values) => object,
): LabEntry =>
  step(`nodes ${takes}`, brief, `node ${example}`, (values) => ({
    nodes: { ...which(values), ...action(values) },
  }));

const onOff = ({ state }: Values): boolean => {
  if (state === "on" || state === "off") return state === "on";
  throw new Error(`expected on or off, found "${state}"`);
};

/** Exactly one of the values, by its name. Throws an Error that lists the possible ones. */
function only(values: Values, ...fields: readonly string[]): string {
  const input = fields.filter((field) => values[field] !== undefined);
  const [one] = input;
  if (one !== undefined && input.length === 1) return one;
  const found = input.length === 0 ? "none" : input.map((field) => `--${field}`).join(" and ");
  throw new Error(
    `expected one of ${fields.map((field) => `--${field}`).join(", ")}, found ${found}`,
  );
}

export const LAB: Readonly<Record<string, LabEntry>> = {
  advance: step(
    "blocks? --time --to",
    "Makes a number of blocks, or blocks for a simulated time or to a height",
    "advance 10",
    ({ blocks, time, to }) => {
      if ([blocks, time, to].filter((one) => one !== undefined).length > 1) {
        throw new Error("expected a number of blocks, --time or --to, found several");
      }
      if (time !== undefined) return { run: { for: time } };
      return { run: to === undefined ? readHeight(blocks ?? "1") : { to: readHeight(to) } };
    },
  ),
  runUntil: step(
    "state? --plan --proposal --is --event --within",
    "Makes blocks until the chain is halted or running, a plan is applied, a proposal ends, or an event comes",
    "run-until --plan v2",
    ({ state, is = "passed", within, ...others }) => {
      const until = {
        plan: { plan_applied: others.plan },
        proposal: { ...number("proposal", others.proposal), is },
        event: { event: others.event },
      };
      const condition =
        state ?? until[only(others, "plan", "proposal", "event") as keyof typeof until];
      return { run: { until: condition, ...number("within", within) } };
    },
  ),
  doubleSign: step(
    "node",
    "Makes a node sign two conflicting votes at the next height",
    "double-sign val-2",
    ({ node }) => ({ double_sign: { node } }),
  ),
  lightClientAttack: step(
    "kind nodes --height",
    "Makes validators attack a light client: lunatic, equivocation or amnesia",
    "light-client-attack lunatic val-0,val-1",
    ({ kind, nodes, height }) => ({
      light_client_attack: { kind, by: names(nodes), ...number("height", height) },
    }),
  ),
  fault: step(
    "node kind --at --for --by --probability",
    "Injects a fault: mute, slow, flaky, crash, clock, stop, double_sign, twin or lose_signer_state",
    "fault val-1 crash --at 12 --for 5",
    ({ node, kind, at, for: lasts, by, probability }) => ({
      fault: {
        node,
        kind,
        ...number("at", at),
        ...number("for", lasts),
        ...(by !== undefined && { by }),
        ...(probability !== undefined && { probability: readPositive(probability) }),
      },
    }),
  ),
  chaos: step(
    "level --for",
    "Draws faults from the seed; level 1 to 5",
    "chaos 3 --for 50",
    ({ level = "", for: lasts = "50" }) => ({
      fault: { chaos: readHeight(level), for: readHeight(lasts) },
    }),
  ),
  clearFaults: step(
    "node?",
    "Ends the faults of a node, or all of them",
    "clear-faults val-1",
    ({ node = "all" }) => ({ fault: { clear: node } }),
  ),
  partition: step(
    "groups",
    "Partitions the network into groups that reach only themselves",
    "partition val-0,val-1/val-2,val-3",
    ({ groups = "" }) => ({ partition: groups.split("/").map(names) }),
  ),
  heal: step("", "Ends a partition", "heal", () => ({ partition: "heal" })),
  release: step(
    "name url serves",
    "Sets the response of a release server: binary, missing, slow, wrong_checksum or empty",
    "release v2 https://releases.example/v2 binary",
    ({ name, url, serves }) => ({ release: { name, url, serves } }),
  ),
  step: step(
    "json",
    "Runs any step of a scenario, written as JSON",
    `step '{"upgrade":{"name":"v2","at":200}}'`,
    ({ json = "" }) => {
      try {
        return Object(JSON.parse(json));
      } catch {
        throw new Error(`expected a step in JSON such as {"run": 5}, found "${json}"`);
      }
    },
  ),
  fork: FORK,
  play: control("", "Has the chain make blocks by itself", "play", () => actionOf("play", true)),
  pause: control("", "Has it wait", "pause", () => actionOf("pause", true)),
  stop: control(
    "",
    "Cancels the running steps (their effects stay), or a what-if branch in progress",
    "stop",
    () => actionOf("stop", true),
  ),
  speed: control(
    "speed",
    "Sets the blocks per second; full for as fast as possible",
    "speed 10",
    ({ speed = "" }) => {
      const read = readSpeed(speed);
      return read === "paused" ? actionOf("pause", true) : actionOf("speed", read);
    },
  ),
};

/** Actions of `chainlab lab node` on nodes. */
export const LAB_NODE: Readonly<Record<string, LabEntry>> = {
  stop: toNodes("", "Stops processes", "stop val-1", () => ({ stop: true })),
  start: toNodes("", "Starts processes", "start val-1,val-2", () => ({ start: true })),
  binary: toNodes(
    "binary",
    "Installs a binary and starts or restarts nodes with it",
    "binary all v2",
    ({ binary }) => ({ binary }),
  ),
  stage: toNodes(
    "binary",
    "Installs a binary on disks, for the sidecar or a later restart",
    "stage val-1 v2",
    ({ binary }) => ({ stage: binary }),
  ),
  sidecar: toNodes(
    "mode",
    "Sets the mode of the upgrade sidecar: manual, staged or download",
    "sidecar all staged",
    ({ mode }) => ({ sidecar: { mode } }),
  ),
  skipUpgrades: toNodes(
    "heights",
    "Restarts nodes with skipped upgrades at these heights",
    "skip-upgrades val-1 30",
    ({ heights }) => ({ skip_upgrades: names(heights).map(readHeight) }),
  ),
  haltHeight: toNodes(
    "height",
    "Restarts nodes with a halt height; 0 is never",
    "halt-height val-1 40",
    ({ height = "" }) => ({ halt_height: readHeight(height) }),
  ),
  haltTime: toNodes(
    "time",
    "Restarts nodes with a halt time; 0 is never",
    "halt-time val-1 2026-01-01T00:01:30Z",
    ({ time }) => ({ halt_time: time === "0" ? 0 : time }),
  ),
  rollBack: toNodes(
    "blocks",
    "Rolls back blocks of stopped nodes",
    "roll-back val-1 1",
    ({ blocks = "" }) => ({ roll_back: readHeight(blocks) }),
  ),
  stateSync: toNodes(
    "from",
    "Restores nodes from a snapshot of another's state",
    "state-sync val-1 val-0",
    ({ from }) => ({ state_sync: from }),
  ),
  wipe: toNodes("", "Deletes the data of nodes", "wipe val-1", () => ({ wipe: true })),
  twin: toNodes(
    "state",
    "Starts a second node with the same key, or removes it",
    "twin val-1 on",
    (values) => ({ twin: onOff(values) }),
  ),
  loseSignerState: toNodes(
    "",
    "Blanks the signer state of nodes",
    "lose-signer-state val-1",
    () => ({ lose_signer_state: true }),
  ),
  disk: toNodes("state", "Lets disks take writes, or not", "disk val-1 off", (values) => ({
    disk: { writable: onOff(values) },
  })),
};
