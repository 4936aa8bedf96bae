/** Actions of `chainlab lab fork` and `chainlab lab world` on the worlds of a running chain. */
import type { OtherValue, Tamper } from "../gen/lab/v1/branches_plain.ts";
import type { WorldInfo } from "../gen/lab/v1/worlds_plain.ts";
import type { Branch, Steering } from "./context.ts";
import { readHeight } from "./flags.ts";
import { type CallOutput, type LabEntry, parametersIn, type Values } from "./lab-entry.ts";
import { worldLine, worldNamed } from "./world-line.ts";

/** Parses the changed byte of a branch. */
function readTamper(text: string): Tamper {
  const [store = "", key = "", name = "", byte = ""] = text.split("/");
  if (/^[^/]+(\/([0-9a-f]{2})+)\/\d{1,9}\/[0-9a-f]{2}$/i.test(text)) {
    return { store, key, place: Number(name), byte: Number.parseInt(byte, 16) };
  }
  throw new Error(
    `expected a byte as STORE/KEY/PLACE/BYTE, key and byte in hex, such as staking/2114A3/12/39, found "${text}"`,
  );
}

/** Parses the changed value of a what-if branch. */
function readOther(text: string): OtherValue {
  const [, name = "", value = ""] = /^([a-z_.]+)=(.+)$/.exec(text) ?? [];
  if (name !== "") return { name, value };
  throw new Error(
    `expected what is other as NAME=VALUE, such as profile=sdk-0.53, binary=v2 or gov.voting_period=20s, found "${text}"`,
  );
}

/** The height of a block. On the wire 0 is the newest, which is the default here. */
function readBlock(text: string): number {
  const height = readHeight(text);
  if (height > 0) return height;
  throw new Error("expected the height of a block, from 1 on, or none for the newest, found 0");
}

const world = (id: string): CallOutput => ({ json: { world: id }, text: `world ${id}\n` });

/** Describes a branch, and the results of the commands replayed in it. */
function branchOutput({ world: id, height, commands, refused, refusals }: Branch): CallOutput {
  const listed = refused.map(({ height: at, command, why }) => ({ height: at, command, why }));
  const input =
    commands === 0
      ? []
      : [`height ${height}`, `commands given again: ${commands}, ended differently: ${refusals}`];
  const lines = listed.map((one) => `  block ${one.height}  ${one.command}: ${one.why}`);
  const more = refusals > lines.length ? [`  and ${refusals - lines.length} more`] : [];
  return {
    json: { world: id, height, commands, refused: listed, refusals },
    text: [`world ${id}`, ...input, ...lines, ...more, ""].join("\n"),
  };
}

export const FORK: LabEntry = {
  brief:
    "Starts a paused branch at a height or now, or replays the commands up to it with one change; the parent stays in the list of worlds",
  example: "fork 120 --with profile=sdk-0.53",
  params: parametersIn("height? --name --note --tamper --with"),
  call({ height, name = "", note = "", tamper, with: other }) {
    const request = {
      height: height === undefined ? 0 : readBlock(height),
      name,
      note,
      ...(tamper !== undefined && { tamper: readTamper(tamper) }),
      ...(other !== undefined && { other: readOther(other) }),
    };
    return async (lab) => branchOutput(await lab.forkWorld(request));
  },
};

/** A command for an action on one world, which is named first. */
const toWorld = (
  takes: string,
  brief: string,
  example: string,
  work: (lab: Steering, id: string, values: Values) => Promise<unknown>,
): LabEntry => ({
  brief,
  example: `world ${example}`,
  params: parametersIn(`world ${takes}`),
  call: (values) => async (lab) => {
    const { worlds } = await lab.listWorlds({});
    const { id } = worldNamed(worlds, values.world ?? "");
    await work(lab, id, values);
    return world(id);
  },
});

/** The printed fields of a world, without those only for the wire. */
const shown = ({ id, name, height, bytes, created, saved, ...more }: WorldInfo) => {
  const { open, erased, problem, parent, note, impossible } = more;
  const from = parent && { world: parent.world, height: parent.height };
  return {
    ...{ id, name, height, bytes, created, saved, open, erased, problem },
    ...(from && { parent: from }),
    ...{ note, impossible },
  };
};

export const LAB_WORLD: Readonly<Record<string, LabEntry>> = {
  list: {
    brief: "Lists the saved worlds, the last saved first",
    example: "world list",
    params: [],
    call: () => async (lab) => {
      const { worlds, deleted } = await lab.listWorlds({});
      const all = [...worlds, ...deleted];
      const lines = all.map((one) =>
        worldLine({ ...one, isPlayed: one.open === "here", isDeleted: deleted.includes(one) }, all),
      );
      return {
        json: { worlds: worlds.map(shown), deleted: deleted.map(shown) },
        text: lines.join(""),
      };
    },
  },
  open: toWorld(
    "",
    "Opens another world; the current one stays in the list",
    "open lab-1",
    (lab, id) => lab.openWorld({ world: id }),
  ),
  rename: toWorld("name", "Renames a world", "rename lab-1 before", (lab, id, { name = "" }) =>
    lab.renameWorld({ world: id, name }),
  ),
  note: toWorld(
    "note?",
    "Sets the note of a world, or removes it",
    "note lab-1 'as it really went'",
    (lab, id, { note = "" }) => lab.noteWorld({ world: id, note }),
  ),
  duplicate: toWorld("", "Copies a world with its history", "duplicate lab-1", (lab, id) =>
    lab.duplicateWorld({ world: id }),
  ),
  delete: toWorld(
    "",
    "Deletes a world, which can be restored for a while; another world replaces it",
    "delete without-the-slash",
    (lab, id) => lab.deleteWorld({ world: id, forever: false }),
  ),
  restore: {
    brief: "Restores a deleted world",
    example: "world restore without-the-slash",
    params: ["world"],
    call:
      ({ world: wanted = "" }) =>
      async (lab) => {
        const { deleted } = await lab.listWorlds({});
        const { id } = worldNamed(deleted, wanted, "a deleted world");
        await lab.restoreWorld({ world: id });
        return world(id);
      },
  },
};
