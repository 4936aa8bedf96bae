/** `chainlab diff`: the differences between two chains, or two heights of one. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { WorldComparison } from "../gen/lab/v1/compare_plain.ts";
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Comparer, RunContext } from "./context.ts";
import { OUTPUT, readHeight, readPositive } from "./flags.ts";
import { printedJson } from "./output.ts";
import { soundText, UNUSABLE } from "./run.ts";
import { worldNamed } from "./world-line.ts";

/** Exit statuses, as in every `diff`. */
const SAME = 0;
const DIFFERENT = 1;
/** Maximum listed blocks of those that differ in more than hashes. */
const BLOCKS = 20;
const KEYS = 50;

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly home?: string;
  readonly grpcAddr?: string;
  readonly labToken?: string;
  readonly height?: number;
  readonly link: "height" | "time" | "command";
  readonly limit: number;
  readonly with?: readonly string[];
  readonly output: "text" | "json";
}

/** A height with different blocks, and a description of the difference. */
interface Found {
  readonly height: number;
  readonly sentence: string;
}

type Side = NonNullable<LabRequest<"compareWorlds">["a"]>;

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;

const SIDE =
  "A scenario file or the file of a world; of a node, a world by its name or id, or nothing for the one that is played. @HEIGHT behind it: as it was there";

export const diffCommand = buildCommand<Flags, [string, string?], Context>({
  docs: {
    brief: "Compares two chains, or two heights of one",
    customUsage: [
      "FILE[@HEIGHT] FILE[@HEIGHT]",
      "FILE[@HEIGHT] --with seed=2",
      "--home DIR [WORLD][@HEIGHT] [WORLD][@HEIGHT]",
      "--grpc-addr ADDRESS [WORLD][@HEIGHT] [WORLD][@HEIGHT]",
    ],
    fullDescription:
      "Prints the first difference, the blocks that differ in more than hashes, and how blocks, validators, proposals, events and keys of the state differ, at the given heights or the newest. Exit status 0: they are equal; 1: they differ; 2: the command line is unusable, or one of them cannot be read. Examples: chainlab diff a.yaml b.yaml; chainlab diff --home ~/lab @20 @30; chainlab diff --home ~/lab @ another-way",
  },
  parameters: {
    aliases: { o: "output" },
    flags: {
      home: { ...text("The home of a node, whether it runs or not", "DIR"), optional: true },
      grpcAddr: { ...text("The gRPC address of a running node", "ADDRESS"), optional: true },
      labToken: {
        ...text("Shows a node with a token that one may ask it", "TOKEN"),
        optional: true,
      },
      height: {
        kind: "parsed",
        brief: "Height of both sides, unless a side sets its own",
        parse: readHeight,
        placeholder: "HEIGHT",
        optional: true,
      },
      link: {
        kind: "enum",
        brief:
          "Height of B for a height of A: the same, the one at the same time, or the one after the last common command",
        values: ["height", "time", "command"],
        default: "height",
      },
      limit: {
        kind: "parsed",
        brief: "Maximum number of listed keys and events",
        parse: readPositive,
        placeholder: "N",
        default: String(KEYS),
      },
      with: {
        kind: "parsed",
        brief:
          "Override in B, a scenario file: seed=2, profile=sdk-0.53, binary=v2 (initial binary of all nodes), binaries.v2.migration=panic, or a key of genesis, such as gov.voting_period=30s. May be repeated. B is then optional",
        parse: String,
        placeholder: "NAME=VALUE",
        variadic: true,
        optional: true,
      },
      ...OUTPUT,
    },
    positional: {
      kind: "tuple",
      parameters: [
        { ...text(SIDE, "A") },
        {
          ...text("The same for the other side. Default with --with: A", "B"),
          optional: true,
        },
      ],
    },
  },
  async func(flags, a, b) {
    if (b === undefined && flags.with === undefined) {
      this.lab.stderr.write("expected two to compare, or one with --with NAME=VALUE\n");
      this.process.exitCode = UNUSABLE;
    } else this.process.exitCode = await diff(this.lab, flags, [a, b ?? a]);
  },
});

/** Returns the exit status. */
async function diff(
  context: RunContext,
  flags: Flags,
  [a, b]: readonly [string, string],
): Promise<number> {
  const { stdout, stderr } = context;
  try {
    const named = [namedSide(a, flags.height), namedSide(b, flags.height)] as const;
    const link = flags.link === "height" ? "" : flags.link;
    if (link !== "" && /@\d+$/.test(b)) {
      throw new Error(`${b}: expected no height, since --link ${link} says which it is`);
    }
    return await withSides(context, flags, named, async (comparer, [ofA, ofB]) => {
      const limit = flags.limit;
      const answer = await comparer.compareWorlds({ a: ofA, b: ofB, limit, link });
      const isOne = answer.a?.world === answer.b?.world && !ofA.scenario && !ofB.scenario;
      const blocks = isOne ? [] : await differingBlocks(comparer, ofA, ofB);
      const [{ height: at } = { height: 0 }] = blocks;
      const isRequested = link !== "" || named.some(({ height }) => height > 0);
      const there =
        at === 0 || isRequested
          ? undefined
          : await comparer.compareWorlds({
              a: { ...ofA, height: at },
              b: { ...ofB, height: at },
              ...{ limit, link },
            });
      const differs = isDifferent(answer, isRequested);
      if (flags.output === "json") {
        stdout.write(
          printedJson({
            ...{ same: !differs, blocks },
            ...(there && { firstBlock: plain(there) }),
            ...plain(answer),
          }),
        );
      } else stdout.write(`${lines(answer, blocks, differs, there).join("\n")}\n`);
      return differs ? DIFFERENT : SAME;
    });
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return UNUSABLE;
  }
}

interface NamedSide {
  /** A path, or the name of a world. */
  readonly name: string;
  /** 0: the newest. */
  readonly height: number;
}

function namedSide(source: string, usual = 0): NamedSide {
  const [, name = source, height] = /^(.*?)@(\d+)?$/.exec(source) ?? [];
  const at = height === undefined ? usual : readHeight(height);
  if (at > 0 || height === undefined) return { name, height: at };
  throw new Error(`${source}: expected the height of a block, from 1 on, found 0`);
}

/** Calls a function with the comparer and both sides in its format. */
async function withSides(
  context: RunContext,
  { home, grpcAddr, labToken: token, with: others }: Flags,
  named: readonly [NamedSide, NamedSide],
  then: (comparer: Comparer, sides: readonly [Side, Side]) => Promise<number>,
): Promise<number> {
  const { nodes, openFolder, openMemory } = context;
  if (home !== undefined && grpcAddr !== undefined) {
    throw new Error("expected --home or --grpc-addr, found both");
  }
  if (others !== undefined && (home !== undefined || grpcAddr !== undefined)) {
    throw new Error("--with: expected a scenario file, found the worlds of a node");
  }
  if (home !== undefined || grpcAddr !== undefined) {
    const at = grpcAddr === undefined ? { home: home ?? "" } : { grpc: grpcAddr };
    const runs =
      grpcAddr !== undefined ||
      (await nodes?.status(home ?? "", undefined).then(
        () => true,
        () => false,
      ));
    if (runs) {
      if (nodes === undefined) throw new Error("no node can be reached from here");
      const { lab } = await nodes.reach({ ...at, ...(token !== undefined && { token }) });
      const { worlds } = await lab.listWorlds({});
      const idOf = (name: string): string => (name === "" ? "" : worldNamed(worlds, name).id);
      const sideOf = ({ name, height }: NamedSide): Side => ({ world: idOf(name), height });
      return then(lab, [sideOf(named[0]), sideOf(named[1])]);
    }
    if (openFolder === undefined) throw new Error(`${home}: there are no folders here`);
    const folder = await openFolder(`${home}/data`, "use");
    try {
      const sideOf = ({ name, height }: NamedSide): Side => ({ world: name, height });
      return await then(folder, [sideOf(named[0]), sideOf(named[1])]);
    } finally {
      await folder.close();
    }
  }
  if (openMemory === undefined) throw new Error("there are no files here");
  const folder = await openMemory();
  const read = async (name: string): Promise<Side> => {
    if (/\.(ya?ml|json)$/i.test(name)) {
      const sound = await soundText(context, name);
      if (sound === undefined) throw new Error(`${name}: it cannot be compared`);
      return { world: "", scenario: { text: sound, file: name }, height: 0 };
    }
    if (name === "") throw new Error("expected a file, or --home or --grpc-addr with its worlds");
    const [, behind] = /\.\w+@([^/]*)$/.exec(name) ?? [];
    if (behind !== undefined) {
      const found = JSON.stringify(behind);
      throw new Error(
        `${name}: expected the height of a block behind @, such as @20, found ${found}`,
      );
    }
    const world = await context.readWorld?.(name);
    return { world: (await folder.add(world ?? new Uint8Array())).id, height: 0 };
  };
  const known = new Map<string, Promise<Side>>();
  const sideOf = async ({ name, height }: NamedSide): Promise<Side> => {
    const side = known.get(name) ?? read(name);
    known.set(name, side);
    return { ...(await side), height };
  };
  try {
    const sides = [await sideOf(named[0]), await sideOf(named[1])] as const;
    const other = others === undefined ? sides[1] : await withOthers(context, sides[1], others);
    return await then(folder, [sides[0], other]);
  } finally {
    await folder.close();
  }
}

/** A side whose scenario has other values. Rejects with an Error that names the invalid ones. */
async function withOthers(
  { withValue, scenarios }: RunContext,
  side: Side,
  others: readonly string[],
): Promise<Side> {
  const { scenario } = side;
  if (!scenario) throw new Error("--with: expected a scenario file, found the file of a world");
  if (withValue === undefined) throw new Error("there are no files here");
  const file = scenario.file ?? "";
  let text = scenario.text ?? "";
  for (const other of others) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(other) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(`--with ${other}: expected NAME=VALUE, such as profile=sdk-0.53`);
    }
    text = await withValue(text, file, { name, value });
    const read = (await scenarios()).check(text, file);
    const [problem] = "steps" in read ? [] : read;
    if (problem) throw new Error(`--with ${other}: ${problem.path}: ${problem.message}`);
  }
  return { ...side, scenario: { ...scenario, text, file: `${file} with ${others.join(", ")}` } };
}

/** The first heights whose blocks differ in more than hashes and times. */
async function differingBlocks(comparer: Comparer, a: Side, b: Side): Promise<readonly Found[]> {
  const found: Found[] = [];
  let from = 0;
  while (found.length < BLOCKS) {
    const { height, sentence, searched, over } = await comparer.findDifference({
      ...{ a, b, from, backwards: false },
    });
    if (height > 0) found.push({ height, sentence });
    else if (over) break;
    from = searched;
  }
  return found;
}

/** True if they differ: at the given heights, else anywhere. */
function isDifferent(
  { first, blocks, things, state, genesis }: WorldComparison,
  atHeights: boolean,
): boolean {
  if (!atHeights) return first !== undefined || genesis.length > 0;
  const fields = blocks?.fields ?? [];
  return (
    fields.some(({ a, b }) => a !== b) ||
    things.length + (blocks?.txs.length ?? 0) + (state?.total ?? 0) > 0 ||
    (blocks?.differingEvents ?? 0) > 0
  );
}

/** The answer without fields that every message has. */
const plain = (answer: WorldComparison): object =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (key === "$typeName" ? undefined : value)),
  ) as object;

/**
 * Lines about the first difference of two chains. Data that no hash covers, such as events, can
 * differ in blocks before those whose hashes differ.
 */
function firstLines(
  { kind, height, sentence, commonHeight }: NonNullable<WorldComparison["first"]>,
  block: Found | undefined,
): readonly string[] {
  if (kind === "length") return [sentence];
  if (kind === "genesis") {
    return [commonHeight < height ? `${sentence} First difference: block ${height}.` : sentence];
  }
  if (block === undefined || block.height >= height) {
    return [`First difference: block ${height}. ${sentence}`];
  }
  return [
    `First difference: block ${block.height}. ${block.sentence}`,
    `Hashes differ from block ${height} on. ${sentence}`,
  ];
}

function lines(
  { a, b, first, genesis, blocks, things, state }: WorldComparison,
  found: readonly Found[],
  differs: boolean,
  there: WorldComparison | undefined,
): readonly string[] {
  const sideLine = (letter: string, side: WorldComparison["a"]): string =>
    `${letter}  ${side?.name}, block ${side?.height} of ${side?.newestHeight}${side?.impossible ? ", changed by hand" : ""}${side?.failure ? `. ${side.failure}` : ""}`;
  const either = (x: string, y: string): string => `${x || "none"} ≠ ${y || "none"}`;
  const titled = (title: string, some: readonly string[], all = some.length): readonly string[] =>
    all === 0
      ? []
      : [
          "",
          title,
          ...some.map((one) => `  ${one}`),
          ...(all > some.length ? [`  and ${all - some.length} more`] : []),
        ];
  const txs = blocks?.txs ?? [];
  const keysOf = ({ state: of }: Pick<WorldComparison, "state">): readonly string[] =>
    (of?.differences ?? []).map(
      ({ store, name, key, created, removed, before, after, beforeText, afterText }) =>
        `${store} ${name || key}: ${either(created ? "" : beforeText || before, removed ? "" : afterText || after)}`,
    );
  const eventsOf = ({ blocks: of }: Pick<WorldComparison, "blocks">): readonly string[] =>
    (of?.events ?? []).map(
      ({ type, attributes, a: timesA, b: timesB }) =>
        `${[type, ...attributes].join(" ")}: ${timesA} ≠ ${timesB}`,
    );
  return [
    sideLine("A", a),
    sideLine("B", b),
    "",
    ...(first === undefined
      ? [differs ? "They differ at these heights." : "They are the same."]
      : firstLines(first, found[0])),
    ...titled(
      "Set otherwise at the beginning",
      genesis.map((one) => `${one.name}: ${either(one.a, one.b)}`),
    ),
    ...titled(
      `Blocks that differ in more than hashes${found.length === BLOCKS ? `, the first ${BLOCKS}` : ""}`,
      found.map(({ height, sentence }) => `${height}: ${sentence}`),
    ),
    ...titled(`In block ${there?.a?.height}, the first of them`, [
      ...(there ? eventsOf(there) : []).slice(0, 1).map((one) => `event ${one}`),
      ...(there ? keysOf(there) : []).slice(0, 1).map((one) => `key ${one}`),
    ]),
    ...titled(
      `At block ${a?.height}${a?.height === b?.height ? "" : ` of A and ${b?.height} of B`}`,
      [
        ...(blocks?.fields ?? [])
          .filter((one) => one.a !== one.b)
          .map((one) => `${one.name}: ${either(one.a, one.b)}`),
        ...things.flatMap(({ kind, name, fields, onlyA, onlyB }) =>
          onlyA || onlyB
            ? [`${kind} ${name}: only in ${onlyA ? "A" : "B"}`]
            : fields.map((one) => `${kind} ${name} ${one.name}: ${either(one.a, one.b)}`),
        ),
        ...txs.map((tx) => `tx ${tx.messages.join(", ")} of ${tx.signer}: ${either(tx.a, tx.b)}`),
      ],
    ),
    ...titled(
      "Events that one of them has more often",
      eventsOf({ blocks }),
      blocks?.differingEvents ?? 0,
    ),
    ...titled("Keys of the state", keysOf({ state }), state?.total ?? 0),
  ];
}
