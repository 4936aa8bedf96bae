/**
 * `chainlab run FILE --data DIR` and the actions of `chainlab worlds`: worlds stored in a folder.
 */
import { errorText } from "../base/error-text.ts";
import type {
  FolderRun,
  FolderStep,
  FolderUse,
  RunContext,
  SavedWorld,
  WorldFolder,
} from "./context.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED, type RunFlags, soundText, UNUSABLE } from "./run.ts";
import { type ListedWorld, worldLine } from "./world-line.ts";

/** Exit statuses; those of signals follow the shell's convention. */
const STATUS: Readonly<Record<FolderRun["state"], number>> = {
  passed: PASSED,
  failed: FAILED,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Opens a folder, uses it and closes it; problems go to stderr. Returns the exit status. */
export async function inFolder(
  { openFolder, stderr }: RunContext,
  path: string,
  use: (folder: WorldFolder) => Promise<number>,
  how: FolderUse = "use",
): Promise<number> {
  try {
    if (openFolder === undefined) throw new Error(`${path}: there are no folders here`);
    const folder = await openFolder(path, how);
    try {
      const status = await use(folder);
      for (const damage of folder.damages) stderr.write(`${damage}\n`);
      return status;
    } finally {
      await folder.close();
    }
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return UNUSABLE;
  }
}

/** Flags that select several runs, or the report at their end. */
const OTHERS = ["junit", "seeds", "shard", "explain"] as const;

/** Plays a file's world in a folder, or continues it. A step is printed once it is on disk. */
export async function runInFolder(
  context: RunContext,
  files: readonly string[],
  flags: RunFlags,
  data: string,
): Promise<number> {
  const { stdout, stderr } = context;
  const other = OTHERS.find((name) => flags[name] !== undefined && flags[name] !== false);
  const [file, second] = files;
  if (other !== undefined) {
    stderr.write(
      `--${other}: expected a run without --data, which keeps one world and prints its steps as they are on disk\n`,
    );
    return UNUSABLE;
  }
  if (file === undefined || second !== undefined) {
    stderr.write(
      `--data: expected one file, whose world the folder keeps, found ${files.length}\n`,
    );
    return UNUSABLE;
  }
  const text = await soundText(context, file);
  if (text === undefined) return UNUSABLE;
  return inFolder(
    context,
    data,
    async (folder) => {
      const ended: FolderStep[] = [];
      const run = await folder.run(text, file, (steps, before) => {
        ended.push(...steps);
        if (!flags.json) for (const step of steps) stdout.write(stepLine(step, before));
      });
      if (flags.json) stdout.write(printedJson({ file, ...run, steps: ended }));
      else stdout.write(endLine(run));
      return STATUS[run.state];
    },
    "add",
  );
}

function stepLine({ index, verb, ok, message }: FolderStep, before: boolean): string {
  const how = ok ? (before ? "was done" : "done") : `failed: ${message}`;
  return `step ${index} ${verb}: ${how}\n`;
}

const endLine = ({ state, height, app_hash }: FolderRun): string =>
  state === "SIGINT" || state === "SIGTERM"
    ? `interrupted and saved at height ${height}; the same command goes on from there\n`
    : `${state} at height ${height}, app hash ${app_hash}\n`;

/** Adds the world of a file to a folder, which is created only for a valid one. */
export async function importWorld(
  context: RunContext,
  path: string,
  data: string,
): Promise<number> {
  let world: Uint8Array | undefined;
  try {
    world = await context.readWorld?.(path);
  } catch (error) {
    context.stderr.write(`${errorText(error)}\n`);
    return UNUSABLE;
  }
  return inFolder(
    context,
    data,
    async (folder) => {
      const { id, name } = await folder.add(world ?? new Uint8Array());
      context.stdout.write(`${id}  ${name}\n`);
      return PASSED;
    },
    "add",
  );
}

/** Prints the worlds of a folder. */
export function listWorlds(
  context: RunContext,
  data: string,
  { json }: { readonly json: boolean },
): Promise<number> {
  return inFolder(context, data, async (folder) => {
    const worlds = await folder.list();
    const { stdout } = context;
    if (json) stdout.write(printedJson({ worlds }));
    else for (const world of worlds) stdout.write(worldLine(listed(world), worlds));
    return PASSED;
  });
}

const listed = ({ savedMs, removedMs, ...world }: SavedWorld): ListedWorld => ({
  ...world,
  saved: savedMs === 0 ? "" : new Date(savedMs).toISOString(),
  isDeleted: removedMs !== undefined,
});
