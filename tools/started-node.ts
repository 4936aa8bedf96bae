/** A `chainlab start` in a process of its own, as people start it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { STALLED_MS } from "./progress.ts";
import { SOAK } from "./test-class.ts";

interface StartedNode {
  readonly process: ChildProcess;
  /** Address of REST and the page, from the node's output. */
  readonly rest: string;
  /** Address of the RPC. */
  readonly rpc: string;
  /** Address of gRPC. */
  readonly grpc: string;
  /** Resolves when it has said a line like this; ends it if it does not. */
  says(line: RegExp): Promise<void>;
  /** Ends it with a signal; resolves to its exit status, null if the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Another program than the command, such as a launcher. */
interface Program {
  readonly program: string;
}

/** A command may take this long in ms, which may have to be built first; in soak it has more to do. */
const LONGEST_MS = SOAK ? 600_000 : 110_000;

export const COMMAND = fileURLToPath(new URL("../bin/chainlab.mjs", import.meta.url));

/** Runs the command to its end. */
export const ran = (...args: readonly string[]) => ranBy(process.execPath, COMMAND, ...args);

/** Runs another program to its end. Throws if it does not end. */
export function ranBy(program: string, ...args: readonly string[]) {
  const result = spawnSync(program, args, { encoding: "utf8", timeout: LONGEST_MS });
  if (result.error) throw new Error(`${args.join(" ")}: ${result.error.message}`);
  return result;
}

let isBuilt = false;

/**
 * Starts a node at free ports; resolves once it answers. A node that says nothing new for 30 s is ended, with what was
 * waited for.
 */
export async function startNode(...given: readonly (string | Program)[]): Promise<StartedNode> {
  const flags = given.filter((one) => typeof one === "string");
  const [{ program } = { program: "" }] = given.filter((one) => typeof one === "object");
  const addresses = ["--rest", "--rpc", "--grpc"].flatMap((server) => [server, "127.0.0.1:0"]);
  const own = program === "" ? [process.execPath, COMMAND] : [program];
  const [file = "", ...before] = own;
  if (!isBuilt) ran("version");
  isBuilt = true;
  const started = spawn(file, [...before, "start", ...addresses, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise<number | null>((resolve) => started.once("exit", resolve));
  const end = (): void => void started.kill("SIGKILL");
  process.once("exit", end);
  void exit.then(() => process.off("exit", end));
  const lines: string[] = [];
  const heard = new Set<() => void>();
  createInterface({ input: started.stdout }).on("line", (line) => {
    lines.push(line);
    for (const listen of heard) listen();
  });
  const says = (wanted: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const listen = (): void => {
        clearTimeout(timer);
        const line = lines.find((one) => wanted.test(one));
        if (line === undefined) {
          timer = setTimeout(() => {
            heard.delete(listen);
            end();
            reject(
              new Error(`chainlab start does not say ${wanted}; its last line: ${lines.at(-1)}`),
            );
          }, STALLED_MS);
          return;
        }
        heard.delete(listen);
        resolve(line);
      };
      void exit.then(() => clearTimeout(timer));
      heard.add(listen);
      void exit.then((status) => reject(new Error(`chainlab start has ended with ${status}`)));
      listen();
    });
  // The last door: all others answer, too.
  const rpc = (await says(/^RPC {2}http/)).replace("RPC  ", "");
  const grpc = (await says(/^gRPC /)).replace("gRPC ", "");
  const rest = (await says(/^REST http/)).replace("REST ", "");
  return {
    process: started,
    rest,
    rpc,
    grpc,
    says: async (line) => void (await says(line)),
    end(signal = "SIGTERM") {
      started.kill(signal);
      return exit;
    },
  };
}
