/** The command line in a terminal that belongs to a chain. */
import { describe, expect, test } from "vitest";
import { prefixesOf } from "../base/address-prefix.ts";
import type { CliContext, Output } from "./context.ts";
import { completions, main } from "./main.ts";

const refuse = () => {
  throw new Error("there are no files");
};

const NODE_INFO = {
  default_node_info: { network: "lab-1", version: "0.38.26" },
  application_version: { name: "chainlab", version: "1.2.3" },
};
const BLOCK = { height: 7, hash: "AB", app_hash: "CD", time: "2026-01-01T00:00:35Z" };

function terminal() {
  const said = { out: "", err: "" };
  const output = (where: "out" | "err"): Output => ({
    columns: 80,
    write(text) {
      said[where] += text;
    },
  });
  const requested: unknown[] = [];
  const context: CliContext = {
    stdout: output("out"),
    stderr: output("err"),
    readFile: refuse,
    checkWritable: refuse,
    writeFile: refuse,
    scenarios: async () => ({
      cores: 0,
      check: refuse,
      exportGenesis: refuse,
      requestProblems: refuse,
      chainAfter: refuse,
      open: refuse,
    }),
    wallet: async () => ({
      setPrefixOf() {},
      prefixes: refuse,
      chainIdOf: () => undefined,
      keyring: () => ({ location: "", list: async () => [], add: refuse, remove: refuse }),
      newMnemonic: refuse,
      keyOf: refuse,
      sign: refuse,
      encode: refuse,
      decode: refuse,
      draft: (tx) => tx,
      operatorOf: refuse,
    }),
    here: {
      broadcast: refuse,
      lab: {
        async runStep({ step }) {
          requested.push(JSON.parse(step));
          return { ok: true, message: "", path: "", height: 3, value: "ABCD" };
        },
        control: refuse,
        forkWorld: refuse,
        compareWorlds: refuse,
        findDifference: refuse,
        listWorlds: refuse,
        openWorld: refuse,
        renameWorld: refuse,
        noteWorld: refuse,
        duplicateWorld: refuse,
        deleteWorld: refuse,
        restoreWorld: refuse,
        recordScenario: async () => ({ file: "recorded.yaml", text: "scenario: 1\n", leftOut: [] }),
      },
      export: refuse,
      failure: undefined,
      missingUpgrade: "error",
      query(name, request, height) {
        requested.push([name, request, height]);
        if (name.endsWith("GetNodeInfo")) return NODE_INFO;
        if (name.endsWith("GetBlock")) return BLOCK;
        if (height > 9) throw new Error("cannot query with height in the future");
        return { balances: [{ denom: "stake", amount: "7" }] };
      },
      resolve: (text) => (text === `$${"{alice}"}` ? "chain1alice" : text),
      prefixes: () => prefixesOf("osmo"),
      accounts: () => [
        { name: "alice", address: "chain1alice" },
        { name: "val-0", address: "osmo1qurswpc8qurswpc8qurswpc8qurswpc8mg52kn" },
      ],
      suggest: async (_, field) =>
        field === "address"
          ? [
              { value: "chain1alice", label: "alice" },
              { value: "chain1bob", label: "bob" },
            ]
          : [{ value: "3", label: "A title" }],
    },
  };
  return { context, said, asked: requested };
}

describe("in a terminal of the page", () => {
  test("a query asks the chain around it, and names stand for addresses", async () => {
    const { context, said: text, asked: requested } = terminal();
    expect(await main(["query", "bank", "balances", "alice", "--height", "5"], context)).toBe(0);
    const request = { address: "chain1alice", pagination: {} };
    expect(requested).toEqual([["chain.bank.v1beta1.Query/AllBalances", request, 5]]);
    expect(text).toEqual({ out: 'balances:\n- amount: "7"\n  denom: stake\n', err: "" });
  });

  test("what the chain refuses is an error in its own words", async () => {
    const { context, said: text } = terminal();
    expect(await main(["query", "bank", "balances", "alice", "--height", "10"], context)).toBe(1);
    expect(text.err).toBe("cannot query with height in the future\n");
  });

  test("a transaction is a step of an account of the lab, as for a button", async () => {
    const { context, said: text, asked: requested } = terminal();
    expect(await main(["tx", "bank", "send", "alice", "alice", "5stake"], context)).toBe(0);
    const message = {
      "@type": "/chain.bank.v1beta1.MsgSend",
      from_address: "chain1alice",
      to_address: "chain1alice",
      amount: [{ denom: "stake", amount: "5" }],
    };
    expect(requested).toEqual([{ tx: { from: "alice", msgs: [message], wait: false } }]);
    expect(text).toEqual({ out: expect.stringContaining("txhash: ABCD"), err: "" });
    await main(["tx", "gov", "vote", "--help"], context);
    expect(text.out).not.toMatch(/--(node|fees|gas|yes|sign-mode|chain-id)/);
  });

  test("what steers is a step for the chain around it, and is not asked where", async () => {
    const { context, said: text, asked: requested } = terminal();
    expect(await main(["lab", "advance", "10"], context)).toBe(0);
    expect(requested).toEqual([{ run: 10 }]);
    expect(text).toEqual({ out: "height 3  ABCD\n", err: "" });
    await main(["lab", "fault", "--help"], context);
    expect(text.out).not.toMatch(/--(grpc-addr|home|lab-token)/);
  });

  test("status, version and keys say what the page knows, and what it cannot have", async () => {
    const run = async (line: string) => {
      const { context, said: text } = terminal();
      const status = await main(line.split(" "), context);
      return { status, ...text };
    };
    const { out } = await run("status");
    expect(JSON.parse(out)).toMatchObject({
      node_info: { network: "lab-1" },
      sync_info: { latest_block_height: "7", latest_block_hash: "AB", latest_app_hash: "CD" },
    });
    expect(await run("version")).toEqual({ status: 0, out: "1.2.3\n", err: "" });
    expect(await run("version --long -o json")).toMatchObject({
      out: '{"name":"chainlab","version":"1.2.3"}\n',
    });
    expect(await run("keys list -n")).toMatchObject({ out: "alice\nval-0\n" });
    expect(await run("keys show alice --address")).toMatchObject({ out: "chain1alice\n" });
    expect(await run("keys show val-0 -a --bech val")).toMatchObject({
      out: "osmovaloper1qurswpc8qurswpc8qurswpc8qurswpc8plufp5\n",
    });
    expect(await run("keys show val-0 --bech cons -o json")).toMatchObject({
      out: '{"name":"val-0","address":"osmovalcons1qurswpc8qurswpc8qurswpc8qurswpc84v04d4"}\n',
    });
    expect(await run("keys show carol")).toMatchObject({
      status: 1,
      err: "there is no account carol here\n",
    });
    for (const line of ["keys add me", "keys import me a b", "keys delete me"]) {
      expect(await run(line)).toEqual({
        status: 1,
        out: "",
        err: expect.stringContaining("no key is kept in a page"),
      });
    }
  });

  test("nothing is offered that needs files or processes", async () => {
    const { context, said: text } = terminal();
    await main(["--help"], context);
    expect(text.out).toContain("query");
    expect(text.out).not.toMatch(/^ +(run|start|init|worlds|export)\b/m);
    expect(await main(["start", "--speed", "5"], context)).toBe(2);
    expect(await main(["cosmovisor-home"], context)).toBe(2);
    expect(text.err).toBe(
      "start needs files or a process, which a page has not: run it in a shell\n" +
        "cosmovisor-home needs files or a process, which a page has not: run it in a shell\n",
    );
    await main(["query", "bank", "balances", "--help"], context);
    expect(text.out).not.toContain("--scenario");
  });

  test.each([
    [["qu"], ["query"]],
    [["query", "ban"], ["bank"]],
    [
      ["query", "gov", "prop"],
      ["proposal", "proposals"],
    ],
    [
      ["query", "bank", "balances", ""],
      ["alice", "bob"],
    ],
    [["query", "bank", "balances", "b"], ["bob"]],
    [["query", "gov", "proposal", ""], ["3"]],
    [["query", "gov", "proposal", "3", "--outp"], ["--output"]],
    [
      ["query", "gov", "proposal", "3", "--output", ""],
      ["json", "text"],
    ],
  ])("%j can become %j", async (inputs, ways) => {
    expect(await completions(inputs, terminal().context)).toEqual(ways);
  });
});
