import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { isMap } from "./fields.ts";
import { withImported } from "./files.ts";
import { readSource } from "./source.ts";

/** The initial state of a world, with its source file, if there is one. */
export interface WorldSource {
  readonly spec: WorldSpec;
  readonly text: string;
  readonly file: string;
  readonly title: string;
}

/** The parts of an imported world's file that define its genesis. */
export function importedGenesis({ text, file }: WorldSource): Readonly<Record<string, unknown>> {
  const read = text === "" ? undefined : readSource(text, file);
  const whole =
    read && "source" in read ? withImported({ ...read.source, file }, undefined) : undefined;
  if (whole === undefined || "problems" in whole || !isMap(whole.value)) {
    throw new Error(
      "this world continues an exported state whose file is not kept with it: export that state, and begin from the file",
    );
  }
  const { genesis, binaries } = whole.value;
  return { genesis, ...(binaries === undefined ? {} : { binaries }) };
}
