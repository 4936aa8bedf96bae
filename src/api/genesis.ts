/**
 * Genesis files: a chain's state as JSON, module by module, in the shapes of the REST interface. An export of the
 * state after height H is the beginning of a chain whose first block is H + 1.
 */
import type { Message } from "@bufbuild/protobuf";
import type { AppGenesis } from "../engine/app/app.ts";
import { errorText, plainError } from "../engine/framework/errors.ts";
import type { Module } from "../engine/framework/module.ts";
import { formatRfc3339, parseRfc3339, type Time } from "../engine/primitives/time.ts";
import type { ExportedGenesis } from "../engine/simulation/views.ts";
import { type Json, messageFromJson, messageToJson } from "./json.ts";

/** The parts of a genesis file in the engine's form. */
export interface ReadGenesis extends AppGenesis {
  readonly chainId: string;
  /** The block before the first one: what `App.initChain` is given. */
  readonly height: number;
  readonly time: Time;
}

type Part = "chain_id" | "genesis_time" | "initial_height" | "module_versions" | "app_state";
type Written = Partial<Record<Part, unknown>>;

/**
 * `module_versions` is not upstream's: the upgrade module has no genesis, and without them a chain would forget which
 * version its state is at. Plans and done marks are not carried, as upstream's are not.
 */
export function genesisToJson(exported: ExportedGenesis): Json {
  const { app, chainId, height, time, messages, versions } = exported;
  return {
    chain_id: chainId,
    genesis_time: formatRfc3339(time),
    initial_height: String(height + 1),
    module_versions: Object.fromEntries(versions),
    app_state: Object.fromEntries(
      app.modules.map(({ name, genesis }) => [
        name,
        messageToJson(genesis.schema, messages.get(name) ?? genesis.defaults()),
      ]),
    ),
  };
}

/**
 * Reads and validates a genesis file for a binary with these modules; a module that is not in it begins with its
 * defaults. Throws an Error with upstream's text for a part that is no valid beginning.
 */
export function genesisFromJson(modules: readonly Module[], json: unknown): ReadGenesis {
  const file: Written = objectAt(json, "genesis");
  const state = objectAt(file.app_state, "app_state");
  const known = new Map(modules.map((module) => [module.name, module]));
  for (const name of Object.keys(state)) {
    if (!known.has(name)) throw new Error(`app_state.${name}: this binary has no such module`);
  }
  const messages = modules
    .filter(({ name }) => name in state)
    .map((module) => [module.name, moduleState(module, state[module.name])] as const);
  const versions = Object.entries(objectAt(file.module_versions, "module_versions"));
  return {
    chainId: textAt(file.chain_id, "chain_id"),
    time: parseRfc3339(textAt(file.genesis_time, "genesis_time")),
    height: wholeAt(textAt(file.initial_height, "initial_height"), "initial_height") - 1,
    messages: new Map(messages),
    versions: new Map(
      versions.map(([name, version]) => [name, wholeAt(version, `module_versions.${name}`)]),
    ),
  };
}

function moduleState({ name, genesis }: Module, json: unknown): Message {
  let message: Message;
  try {
    message = messageFromJson(genesis.schema, json);
  } catch (error) {
    throw plainError(`failed to unmarshal ${name} genesis state: ${errorText(error)}`);
  }
  genesis.validate(message);
  return message;
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Error(`${path}: expected an object`);
}

function textAt(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`${path}: expected text`);
}

function wholeAt(value: unknown, path: string): number {
  const number =
    typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new Error(`${path}: expected a whole number from 1 on`);
}
