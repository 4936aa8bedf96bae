/** The page's chain as the context of the command line. */
import { prefixOf } from "../../../base/prefix-text.ts";
import type { Client, LabClient } from "../../../client/client.ts";
import { ENDPOINTS } from "../../../gen/endpoints.ts";
import type { Frame } from "../../store/types.ts";
import { liveValues } from "../api/live-values.ts";
import type { Surroundings } from "./session.ts";

/** Maximum bytes of a transaction file: more fits into no transaction. */
const FILE_BYTES = 1 << 20;

const NO_FILES = "there are no files in the page";
const NO_SUCH_FILE =
  "no file of this name was dropped on the terminal: drop one, or write its JSON in its place";
const refuse = (): never => {
  throw new Error(NO_FILES);
};

const noKeys = (): never => {
  throw new Error("there are no keys in the page, whose accounts act without");
};

/**
 * @param frame the page's current frame
 * @param files dropped on the terminal, by name
 */
export function surroundings(
  client: Client,
  frame: () => Frame | undefined,
  files: ReadonlyMap<string, File>,
): Surroundings {
  return {
    readFile: async (name) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(NO_SUCH_FILE);
      if (file.size > FILE_BYTES)
        throw new Error(`expected at most ${FILE_BYTES} bytes, found ${file.size}`);
      return file.text();
    },
    checkWritable: async () => refuse(),
    writeFile: async () => refuse(),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    scenarios: async () => ({
      cores: 0,
      check: refuse,
      exportGenesis: refuse,
      requestProblems: refuse,
      chainAfter: refuse,
      open: refuse,
    }),
    wallet: async () => ({
      // The lab has the keys of its accounts; there are no others.
      setPrefixOf() {},
      prefixes: noKeys,
      chainIdOf: () => undefined,
      keyring: () => ({ location: "", list: async () => [], add: noKeys, remove: noKeys }),
      newMnemonic: noKeys,
      keyOf: noKeys,
      sign: noKeys,
      encode: noKeys,
      decode: noKeys,
      // The engine reports invalid fields.
      draft: (tx) => tx,
      operatorOf(address) {
        const all = frame()?.validators ?? [];
        const found = all.find(({ accountAddress }) => accountAddress === address);
        if (found === undefined) throw new Error(`${address} operates no validator`);
        return found.operatorAddress;
      },
    }),
    here: {
      failure: undefined,
      missingUpgrade: "error",
      query: (name, request, height) => client.query(name, request, height),
      export: (request) => client.lab.exportChain(request),
      lab: steeringOnlyNow(client.lab, frame),
      broadcast: noKeys,
      resolve: (text) => resolved(frame(), text),
      prefixes() {
        const [one] = frame()?.validators ?? [];
        return {
          account: prefixOf(one?.accountAddress),
          validator: prefixOf(one?.operatorAddress),
          consensus: prefixOf(one?.consensusAddress),
        };
      },
      accounts() {
        const { accounts = [], validators = [] } = frame() ?? {};
        const known = new Map(accounts.map(({ name, address }) => [name, address]));
        for (const { name, accountAddress } of validators) known.set(name, accountAddress);
        return Array.from(known, ([name, address]) => ({ name, address }));
      },
      async suggest(method, field) {
        const known = frame();
        const endpoint = ENDPOINTS.find(({ name }) => name === method);
        if (known === undefined || endpoint === undefined) return [];
        const { [field]: values = [] } = await liveValues(client, known, {
          ...endpoint,
          fields: endpoint.fields.filter(({ name }) => name === field),
        });
        return values;
      },
    },
  };
}

/** The calls with which the command line controls the chain. */
const CONTROLLING = ["runStep", "control"];

/** Refuses calls that change the chain while the page shows its past. */
const steeringOnlyNow = (lab: LabClient, frame: () => Frame | undefined): LabClient =>
  new Proxy(lab, {
    get(known, method: keyof LabClient) {
      const { past } = frame() ?? {};
      if (past === undefined || !CONTROLLING.includes(method)) return known[method];
      return () => {
        throw new Error(
          `block ${past.shown} is past: fork there (F), or go back to live (End), to change something`,
        );
      };
    },
  });

/**
 * The address that `${name}`, `${name.valoper}` or `${name.valcons}` refers to; other text is
 * unchanged.
 */
function resolved(frame: Frame | undefined, text: string): string {
  const [, name, part] = /^\$\{([\w.-]+?)(?:\.(valoper|valcons))?\}$/.exec(text) ?? [];
  if (name === undefined) return text;
  const validator = frame?.validators.find((one) => one.name === name);
  if (part === "valoper" && validator) return validator.operatorAddress;
  if (part === "valcons" && validator) return validator.consensusAddress;
  if (part !== undefined) throw new Error(`there is no validator ${name}`);
  const account = frame?.accounts.find((one) => one.name === name)?.address;
  const address = account ?? validator?.accountAddress;
  if (address !== undefined) return address;
  throw new Error(`there is no account ${name}: expected a name of this chain, or an address`);
}
