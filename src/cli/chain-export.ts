/** `chainlab trace` and `chainlab csv`: the history of a chain as files for other programs. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { FileInParts, QueriedChain, RunContext } from "./context.ts";
import { readHeight } from "./flags.ts";
import { inFolder } from "./folder.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly home?: string;
  readonly worldFile?: string;
  readonly grpcAddr?: string;
  readonly from?: number;
  readonly to?: number;
  readonly output?: string;
}

const height = (brief: string) =>
  ({ kind: "parsed", brief, parse: readHeight, placeholder: "H", optional: true }) as const;
const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder, optional: true }) as const;

const WHERE =
  "of the chain after a scenario, of a home, whether its node runs or not, of a world that was saved as a file, or of a node that runs";
const STATUSES =
  "Exit status 0: written; 1: there are no such heights, or a step of the scenario failed; 2: a file is invalid, could not be read, or could not be written.";

interface Kind {
  readonly what: string;
  readonly brief: string;
  readonly about: string;
  readonly examples: string;
  /** First characters of a file of this kind. */
  readonly begins: string;
}

const exportCommand = ({ what, brief, about, examples, begins }: Kind) =>
  buildCommand<Flags, [string?], Context>({
    docs: {
      brief,
      customUsage: ["SCENARIO", "--home DIR", "--world-file FILE", "--grpc-addr ADDRESS"].map(
        (location) => `${location} [--from H] [--to H] [-o FILE]`,
      ),
      fullDescription: `${about} It is ${WHERE}. ${STATUSES} ${examples}`,
    },
    parameters: {
      aliases: { o: "output" },
      flags: {
        from: height("First block. Default: the first of the chain"),
        to: height("Last block. Default: the newest"),
        output: text("Write to this file instead of printing", "FILE"),
        home: text("The home of the chain, instead of a scenario", "DIR"),
        worldFile: text("A world that was saved as a file, instead of a scenario", "FILE"),
        grpcAddr: text("The gRPC address of a running node, instead of a scenario", "ADDRESS"),
      },
      positional: {
        kind: "tuple",
        parameters: [
          {
            brief: "A scenario file, YAML or JSON",
            parse: String,
            placeholder: "SCENARIO",
            optional: true,
          },
        ],
      },
    },
    async func(flags, scenario) {
      this.process.exitCode = await exportFrom(this.lab, { what, begins }, flags, scenario);
    },
  });

export const traceCommand = exportCommand({
  what: "trace",
  brief: "Writes a chain's heights as a trace, which ui.perfetto.dev shows",
  about:
    "Writes JSON of the trace event format: the chain and each node with tracks for process, binary and consensus, rounds with their steps as slices, and evidence, slashes, proposals, plans and halts as marks, on the simulated clock.",
  examples:
    "Examples: chainlab trace story.yaml -o story.trace.json; chainlab trace --home ~/lab --from 100 --to 200 > trace.json",
  begins: '{"displayTimeUnit"',
});

export const csvCommands = buildRouteMap<string, Context>({
  docs: { brief: "Writes blocks or events of a chain as CSV" },
  routes: {
    blocks: exportCommand({
      what: "blocks",
      brief: "Writes a line for each block",
      about:
        "Writes CSV (RFC 4180) with a line for each block: times, round, proposer, hashes, transactions, evidence and power that signed.",
      examples: "Example: chainlab csv blocks story.yaml --from 10 -o blocks.csv",
      begins: "height,time,",
    }),
    events: exportCommand({
      what: "events",
      brief: "Writes a line for each attribute of each event",
      about:
        "Writes CSV (RFC 4180) with a line for each attribute of each event: its block, its transaction if it is of one, the number of the event in the block, its type, key and value.",
      examples: "Example: chainlab csv events --home ~/lab | grep slash",
      begins: "height,time,",
    }),
  },
});

type Wanted = Pick<Kind, "what" | "begins">;

/** Returns the exit status. */
async function exportFrom(
  context: RunContext,
  wanted: Wanted,
  flags: Flags,
  scenario: string | undefined,
): Promise<number> {
  const { stderr, scenarios, nodes } = context;
  const { home, worldFile, grpcAddr } = flags;
  const input = [scenario, home, worldFile, grpcAddr].filter((location) => location !== undefined);
  if (input.length > 1) {
    stderr.write(
      `expected one of SCENARIO, --home DIR, --world-file FILE and --grpc-addr ADDRESS, found ${input.length}\n`,
    );
    return UNUSABLE;
  }
  const write = (chain: QueriedChain): Promise<number> => writeParts(context, wanted, flags, chain);
  try {
    if (scenario !== undefined) {
      const sound = await soundText(context, scenario);
      if (sound === undefined) return UNUSABLE;
      const chain = (await scenarios()).chainAfter(sound, scenario);
      const { failure } = chain;
      if (failure !== undefined) {
        stderr.write(`${scenario}: ${failure}; what is written ends there\n`);
      }
      const status = await write(chain);
      return failure === undefined ? status : Math.max(status, FAILED);
    }
    if (worldFile !== undefined) {
      const { openWorldFile } = context;
      if (openWorldFile === undefined) throw new Error(`${worldFile}: there are no files here`);
      const openFolder = () => openWorldFile(worldFile);
      return await inFolder({ ...context, openFolder }, worldFile, async (folder) =>
        write(await folder.chain(undefined)),
      );
    }
    if (nodes === undefined) throw new Error("no node can be reached from here");
    if (grpcAddr !== undefined) return await write(await nodes.reach({ grpc: grpcAddr }));
    const location = home ?? nodes.usualHome();
    const runs = await nodes.status(location, undefined).then(
      () => true,
      () => false,
    );
    if (runs) return await write(await nodes.reach({ home: location }));
    return await inFolder(context, `${location}/data`, async (folder) =>
      write(await folder.chain(undefined)),
    );
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

/** Writes each part of a file as soon as it is available. Returns the exit status. */
async function writeParts(
  { stdout, stderr, beginFile }: RunContext,
  { what, begins }: Wanted,
  { from = 0, to = 0, output }: Flags,
  chain: QueriedChain,
): Promise<number> {
  let file: FileInParts | undefined;
  try {
    if (output !== undefined) {
      if (beginFile === undefined) throw new Error("there are no files here");
      file = await beginFile(output, begins);
    }
  } catch (error) {
    stderr.write(`${output}: ${errorText(error)}\n`);
    return UNUSABLE;
  }
  const isSeen =
    stderr.columns !== undefined && (file !== undefined || stdout.columns === undefined);
  try {
    for (let after = ""; ; ) {
      const part = await chain.export({ what, from, to, after });
      if (file !== undefined) await file.write(part.text);
      // Data from the chain must not control the terminal.
      else if (stdout.columns !== undefined) stdout.write(part.text);
      else stdout.raw(part.text);
      if (isSeen) stderr.raw(`\r\u001b[2Kblock ${part.height} of ${part.from} to ${part.to}`);
      after = part.next;
      if (after === "") break;
    }
    await file?.end();
    return PASSED;
  } catch (error) {
    await file?.drop();
    stderr.write(`${output === undefined ? "" : `${output}: `}${errorText(error)}\n`);
    return FAILED;
  } finally {
    if (isSeen) stderr.raw("\r\u001b[2K");
  }
}
