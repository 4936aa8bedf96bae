import { beforeEach, describe, expect, test } from "vitest";
import type { CliContext, NodeCommands, QueriedChain } from "./context.ts";
import { main } from "./main.ts";

const ADDRESS = "chain14wk8saw0t59tcjltcwm2hq6nhw94z3s7gxupll";
const META = {
  block_id: { hash: "0A", parts: { total: 1, hash: "BB" } },
  block_size: "875",
  num_txs: "0",
};

/** A chain after `a.yaml`; the file `bad.yaml` is invalid. */
async function chainlab(
  line: string,
  chain: Partial<QueriedChain> = {},
  more: Partial<CliContext> = {},
) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const unused = (): never => {
    throw new Error("this must not be requested");
  };
  const context: CliContext = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => {
      if (path === "none.yaml") throw new Error("no such file");
      return path;
    },
    writeFile: unused,
    checkWritable: unused,
    scenarios: async () => ({
      cores: 1,
      check: (_, file) =>
        file === "bad.yaml"
          ? [{ file, path: "steps", line: 3, message: "expected a list" }]
          : { name: "a", title: "A", seed: 1, steps: [], properties: [] },
      exportGenesis: unused,
      open: unused,
      requestProblems: () => [],
      chainAfter: () => ({
        query: unused,
        export: unused,
        resolve: (text) => text.replace(/^\$\{([\w-]+)(.*)\}$/, "address of $1$2"),
        missingUpgrade: "error",
        failure: undefined,
        ...chain,
      }),
    }),
    ...more,
  };
  const status = await main(line.split(" "), context);
  return { status, ...written };
}

const requested: unknown[][] = [];
const answering = (answer: unknown): Partial<QueriedChain> => ({
  query: (...args) => {
    requested.push(args);
    return answer;
  },
});
beforeEach(() => {
  requested.length = 0;
});

describe("chainlab query upgrade (rules/upgrade 8.2)", () => {
  test("plan shows the bare plan with its fields in order", async () => {
    const plan = { name: "v2", time: "0001-01-01T00:00:00Z", height: "30", info: "" };
    const chain = answering({ plan: { ...plan, upgraded_client_state: null } });
    const { status, stdout } = await chainlab("query upgrade plan --scenario a.yaml", chain);
    expect([status, stdout]).toEqual([
      0,
      'height: "30"\ninfo: ""\nname: v2\ntime: "0001-01-01T00:00:00Z"\nupgraded_client_state: null\n',
    ]);
  });

  test.each([
    ["plan", { plan: null }, "no upgrade scheduled"],
    ["applied v9", { height: 0, meta: null }, "no upgrade found"],
  ])(
    "%s says so where there is none, or is an empty object upstream",
    async (command, answer, reason) => {
      const line = `query upgrade ${command} --scenario a.yaml`;
      expect(await chainlab(line, answering(answer))).toEqual({
        status: 1,
        stdout: "",
        stderr: `a.yaml: ${reason}\n`,
      });
      const upstream = { ...answering(answer), missingUpgrade: "empty" } as const;
      expect(await chainlab(line, upstream)).toEqual({ status: 0, stdout: "{}\n", stderr: "" });
    },
  );

  test.each(["module-versions", "module_versions"])("%s lists versions", async (name) => {
    const chain = answering({ module_versions: [{ name: "bank", version: "5" }] });
    const line = `query upgrade ${name} bank --scenario a.yaml --height 12`;
    expect((await chainlab(line, chain)).stdout).toBe(
      'module_versions:\n- name: bank\n  version: "5"\n',
    );
    expect(requested).toEqual([
      ["chain.upgrade.v1beta1.Query/ModuleVersions", { module_name: "bank" }, 12],
    ]);
  });

  test("--output json prints JSON", async () => {
    const chain = answering({ address: "chain1x" });
    const line = "query upgrade authority --scenario a.yaml --output json";
    expect((await chainlab(line, chain)).stdout).toBe('{\n  "address": "chain1x"\n}\n');
  });

  test("applied shows the header as JSON with the documented names", async () => {
    const chain = answering({ height: 30, meta: META });
    const { stdout } = await chainlab("query upgrade applied v2 --scenario a.yaml", chain);
    expect(requested).toEqual([["lab.v1.Lab/GetAppliedUpgrade", { name: "v2" }, 0]]);
    expect(JSON.parse(stdout)).toEqual(META);
  });

  test("applied shows the height where the profile knows no more", async () => {
    const chain = answering({ height: 30, meta: null });
    const { stdout } = await chainlab("query upgrade applied v2 --scenario a.yaml", chain);
    expect(stdout).toBe('height: "30"\n');
  });

  test("a refusal of the chain is exit status 1 with its own text", async () => {
    const query = (): never => {
      throw new Error("module nope not found");
    };
    const line = "query upgrade module-versions nope --scenario a.yaml";
    expect(await chainlab(line, { query })).toEqual({
      status: 1,
      stdout: "",
      stderr: "a.yaml: module nope not found\n",
    });
  });

  test("a step that failed is told on stderr, and the chain it left answers", async () => {
    const chain = { ...answering({ address: "chain1x" }), failure: "steps[3]: the chain stands" };
    expect(await chainlab("query upgrade authority --scenario a.yaml", chain)).toEqual({
      status: 0,
      stdout: "address: chain1x\n",
      stderr:
        "a.yaml: steps[3]: the chain stands; the answer is of the chain as that step left it\n",
    });
  });

  test.each([
    [
      "upgrade",
      [
        "query upgrade applied [--scenario FILE] [--data DIR] [--world WORLD] [--node ADDRESS] [--grpc-addr ADDRESS] [--home DIR] [--height HEIGHT] [--output text|json] <upgrade_name>",
        "query upgrade module_versions [--scenario FILE] [--data DIR] [--world WORLD] [--node ADDRESS] [--grpc-addr ADDRESS] [--home DIR] [--height HEIGHT] [--output text|json] [<module_name>]",
        "query upgrade plan [--scenario FILE] [--data DIR] [--world WORLD]",
      ],
    ],
    ["evidence", ["query evidence <evidence_hash> ", "query evidence --scenario FILE"]],
  ])("query %s --help shows every documented command with its names", async (group, commands) => {
    const { status, stdout } = await chainlab(`query ${group} --help`);
    expect(status).toBe(0);
    for (const command of commands) expect(stdout).toContain(`chainlab ${command}`);
  });

  test("a file that cannot be read, or is not sound, is exit status 2", async () => {
    expect(await chainlab("query upgrade plan --scenario none.yaml")).toMatchObject({
      status: 2,
      stderr: "none.yaml:1: cannot be read: no such file\n",
    });
    expect(await chainlab("query upgrade plan --scenario bad.yaml")).toMatchObject({
      status: 2,
      stderr: "bad.yaml:3: steps: expected a list\n",
    });
  });
});

describe("chainlab query", () => {
  const requestOf = async (line: string): Promise<unknown[]> => {
    expect(await chainlab(`query ${line} --scenario a.yaml`, answering({}))).toMatchObject({
      status: 0,
    });
    return requested[0]?.slice(0, 2) ?? [];
  };

  test.each([
    ["gov proposal 7", "chain.gov.v1.Query/Proposal", { proposal_id: "7" }],
    ["gov tally 7", "chain.gov.v1.Query/TallyResult", { proposal_id: "7" }],
    ["gov params --params-type voting", "chain.gov.v1.Query/Params", { params_type: "voting" }],
    ["bank total", "chain.bank.v1beta1.Query/TotalSupply", { pagination: {} }],
    ["staking pool", "chain.staking.v1beta1.Query/Pool", {}],
    ["rounds", "lab.v1.Lab/GetRounds", {}],
    ["participation 9 --count 3", "lab.v1.Lab/GetParticipation", { last: "9", count: "3" }],
    ["tally-history 1", "lab.v1.Lab/GetTallyHistory", { proposal: "1" }],
    ["governance", "lab.v1.Lab/GetGovernance", {}],
    ["ballots 1 --height 9", "lab.v1.Lab/GetBallots", { proposal: "1", height: "9" }],
    ["validator-states val-1", "lab.v1.Lab/GetValidatorStates", { validator: "val-1" }],
    ["evidence-list", "lab.v1.Lab/GetEvidence", {}],
    ["evidence-piece b7-1", "lab.v1.Lab/GetEvidencePiece", { id: "b7-1" }],
    ["block --hash AB", "lab.v1.Lab/GetBlock", { hash: "AB" }],
    ["divergence val-0 val-1", "lab.v1.Lab/GetDivergence", { before: "val-0", after: "val-1" }],
    ["state proof bank 00", "lab.v1.Lab/GetStoreProof", { store: "bank", key: "00" }],
    [
      "state keys bank --prefix 02 --limit 5",
      "lab.v1.Lab/GetStoreKeys",
      { store: "bank", prefix: "02", limit: "5" },
    ],
    ["state diff 6 7", "lab.v1.Lab/GetStateDiff", { before: "6", after: "7" }],
  ])("%s asks %s", async (line, name, request) => {
    expect(await requestOf(line)).toEqual([name, request]);
  });

  test.each([
    ["block --height 9", "lab.v1.Lab/GetBlock", { height: "9" }, 0],
    ["ballots 1 --height 9", "lab.v1.Lab/GetBallots", { proposal: "1", height: "9" }, 0],
    ["block 9 --height 5", "lab.v1.Lab/GetBlock", { height: "9" }, 5],
  ])("%s: the height is the request's own where it has one", async (line, ...request) => {
    await requestOf(line);
    expect(requested).toEqual([request]);
  });

  test("lists take their page from flags, as lists of chains do", async () => {
    const flags = "--limit 2 --count-total --reverse --proposal-status X --page-key AQ==";
    expect(await requestOf(`gov proposals ${flags}`)).toEqual([
      "chain.gov.v1.Query/Proposals",
      {
        proposal_status: "X",
        pagination: { limit: "2", count_total: true, reverse: true, key: "AQ==" },
      },
    ]);
  });

  test("a page has a number too, as lists and the validator set have upstream", async () => {
    const set = "chain.base.tendermint.v1beta1.Service/GetValidatorSetByHeight";
    expect(await requestOf("comet-validator-set 5 --page 3 --limit 2")).toEqual([
      set,
      { height: "5", pagination: { limit: "2", offset: "4" } },
    ]);
    requested.length = 0;
    expect(await requestOf("comet-validator-set --page 2")).toEqual([
      set.replace("SetByHeight", "Set").replace("/Get", "/GetLatest"),
      { pagination: { offset: "100" } },
    ]);
    requested.length = 0;
    expect(await requestOf("tendermint-validator-set 5")).toMatchObject([set, { height: "5" }]);
    requested.length = 0;
    for (const [flags, text] of [
      ["--page 0", 'expected a number from 1 to 999999999, found "0"'],
      ["--page 2 --offset 1", "expected --page or --offset, found both"],
      [
        "--page 2 --offset 1 --page-key AA==",
        "expected --page or --offset or --page-key, found all",
      ],
    ]) {
      const line = `query comet-validator-set ${flags} --scenario a.yaml`;
      const { status, stderr } = await chainlab(line, answering({}));
      expect([status, stderr]).toEqual([2, expect.stringContaining(text ?? "")]);
    }
    expect(requested).toEqual([]);
  });

  test("no home is read beside a scenario", async () => {
    const broken = (): never => {
      throw new Error("client.toml: expected a file, found a folder");
    };
    const home = {
      nodes: { usualHome: () => "home", output: broken } as unknown as NodeCommands,
      wallet: broken,
    };
    const ask = (file: string) =>
      chainlab(`query gov vote 1 alice ${file}`, answering({ vote: "yes" }), home);
    for (const file of ["--scenario a.yaml", "--scenario=a.yaml"]) {
      expect(await ask(file)).toEqual({
        status: 0,
        stdout: "vote: yes\n".replace("yes", '"yes"'),
        stderr: "",
      });
    }
    expect((await ask("--node 127.0.0.1:1")).stderr).toContain("client.toml");
  });

  test("names stand for addresses, each for the kind its place takes; addresses for themselves", async () => {
    expect(await requestOf("gov vote 1 alice")).toEqual([
      "chain.gov.v1.Query/Vote",
      { proposal_id: "1", voter: "address of alice" },
    ]);
    requested.length = 0;
    expect(await requestOf(`staking delegation ${ADDRESS} val-1`)).toEqual([
      "chain.staking.v1beta1.Query/Delegation",
      { delegator_addr: ADDRESS, validator_addr: "address of val-1.valoper" },
    ]);
    requested.length = 0;
    expect(await requestOf("slashing signing-info val-1")).toEqual([
      "chain.slashing.v1beta1.Query/SigningInfo",
      { cons_address: "address of val-1.valcons" },
    ]);
  });

  test("evidence: with a hash that one alone, else the list with its page (rules/evidence 6.5)", async () => {
    const list = { evidence: [], pagination: { next_key: null, total: "0" } };
    const all = await chainlab("query evidence --scenario a.yaml --limit 3", answering(list));
    expect(all.stdout).toBe('evidence: []\npagination:\n  next_key: null\n  total: "0"\n');
    const one = { evidence: { "@type": "/chain.evidence.v1beta1.Equivocation", height: "6" } };
    const single = await chainlab("query evidence AB --scenario a.yaml", answering(one));
    expect(single.stdout).toBe("'@type': /chain.evidence.v1beta1.Equivocation\nheight: \"6\"\n");
    expect(requested).toEqual([
      ["chain.evidence.v1beta1.Query/AllEvidence", { pagination: { limit: "3" } }, 0],
      ["chain.evidence.v1beta1.Query/Evidence", { evidence_hash: "AB" }, 0],
    ]);
  });

  test("a file is printed as it lies on the disk, or as JSON", async () => {
    const chain = answering({ path: "data/x", content: "a\nb" });
    const line = "query file val-0 data/x --scenario a.yaml";
    expect((await chainlab(line, chain)).stdout).toBe("a\nb");
    expect(JSON.parse((await chainlab(`${line} --output json`, chain)).stdout)).toEqual({
      path: "data/x",
      content: "a\nb",
    });
  });
});
