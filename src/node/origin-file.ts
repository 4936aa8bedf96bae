/** Origins of chains with custom settings, loaded with YAML and schemas on demand. */

import { prefixesOf, USUAL_PREFIX } from "../base/address-prefix.ts";
import { errorText } from "../base/error-text.ts";
import { ADDRESS_PREFIX, prefixText } from "../base/prefix-text.ts";
import type { GenesisSettings } from "../cli/context.ts";
import { UsageError } from "../cli/usage-error.ts";
import { notGenesis, selfContained } from "../scenario/files.ts";
import { parseScenario } from "../scenario/parse.ts";
import { FIRST_ORIGIN } from "../session/first-world.ts";
import type { Origin } from "../session/running-world.ts";
import { readText } from "./files.ts";
import { beside } from "./scenario-lab.ts";

/**
 * Origin of a chain: a file, or the default, with custom prefix and commits. Throws an Error with
 * the first problem.
 */
export function originOf({
  file,
  isGenesis = false,
  prefix,
  commits,
}: GenesisSettings): Origin | undefined {
  const read = file === undefined ? undefined : originIn(file, isGenesis);
  const origin = withPrefix(read, prefix);
  if (commits === undefined) return origin;
  const { scenario, ...from } = origin ?? FIRST_ORIGIN;
  return { ...from, scenario: { ...scenario, spec: { ...scenario.spec, commits } } };
}

/** A scenario or genesis file as the origin of a chain. Throws an Error with its first problem. */
function originIn(file: string, isGenesis: boolean): Origin {
  const text = textOf(file);
  const other = isGenesis ? notGenesis(text, file) : undefined;
  if (other !== undefined) throw new UsageError(`${file} is no genesis: ${other}`);
  const read = parseScenario(text, file);
  if ("scenario" in read) return { scenario: read.scenario, file, text };
  const [{ path, line, message } = { path: "", line: 1, message: "it cannot be read" }] =
    read.problems;
  throw new UsageError(`${file}:${line}: ${path === "" ? "" : `${path}: `}${message}`);
}

function textOf(file: string): string {
  try {
    return selfContained(readText(file), file, beside(file));
  } catch (error) {
    throw new UsageError(`${file}: cannot be read: ${errorText(error)}`);
  }
}

/**
 * An origin, or the default, with another address prefix. Throws an Error if that is impossible.
 */
function withPrefix(origin: Origin | undefined, setting: string | undefined): Origin | undefined {
  if (setting === undefined) return origin;
  if (!ADDRESS_PREFIX.test(setting)) {
    throw new UsageError(
      `--prefix: expected 1 to 20 small letters and digits, of which the first is a letter, or three such prefixes, separated by commas, found "${setting}"`,
    );
  }
  const prefix = prefixText(prefixesOf(setting));
  const { scenario, ...from } = origin ?? FIRST_ORIGIN;
  const { prefix: own = USUAL_PREFIX, ...spec } = scenario.spec;
  if (own === prefix) return origin;
  if (spec.start !== undefined) {
    throw new UsageError(`--prefix: addresses in ${from.file} begin with ${own}, not ${prefix}`);
  }
  return {
    ...from,
    scenario: { ...scenario, spec: { ...spec, ...(prefix !== USUAL_PREFIX && { prefix }) } },
  };
}
