import { describe, expect, test } from "vitest";
import type { AskedChain, CliContext } from "./context.ts";
import { main } from "./main.ts";

const META = {
  blockId: { hash: "0A", parts: { total: 1, hash: "BB" } },
  blockSize: "875",
  numTxs: "0",
};

/** A chain after `a.yaml`; the file `bad.yaml` is not sound. */
async function chainlab(line: string, chain: Partial<AskedChain> = {}) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const unused = (): never => {
    throw new Error("nobody should ask for this");
  };
  const context: CliContext = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => {
      if (path === "none.yaml") throw new Error("no such file");
      return path;
    },
    writeFile: unused,
    scenarios: {
      cores: 1,
      check: (_, file) =>
        file === "bad.yaml"
          ? [{ file, path: "steps", line: 3, message: "expected a list" }]
          : { name: "a", title: "A", seed: 1, steps: [] },
      exportGenesis: unused,
      open: unused,
      chainAfter: () => ({ query: unused, appliedUpgrade: unused, ...chain }),
    },
  };
  const status = await main(line.split(" "), context);
  return { status, ...written };
}

describe("chainlab query upgrade (document §4)", () => {
  const asked: unknown[][] = [];
  const answering = (answer: unknown): Partial<AskedChain> => ({
    query: (...args) => {
      asked.push(args);
      return answer;
    },
  });

  test("plan shows the bare plan with its fields in order", async () => {
    const plan = { name: "v2", time: "0001-01-01T00:00:00Z", height: "30", info: "" };
    const chain = answering({ plan: { ...plan, upgraded_client_state: null } });
    const { status, stdout } = await chainlab("query upgrade plan --scenario a.yaml", chain);
    expect([status, stdout]).toEqual([
      0,
      'height: "30"\ninfo: ""\nname: v2\ntime: "0001-01-01T00:00:00Z"\nupgraded_client_state: null\n',
    ]);
  });

  test("plan without one is an empty object, and no error", async () => {
    const line = "query upgrade plan --scenario a.yaml";
    expect(await chainlab(line, answering({ plan: null }))).toMatchObject({
      status: 0,
      stdout: "{}\n",
    });
  });

  test.each(["module-versions", "module_versions"])("%s lists versions", async (name) => {
    asked.length = 0;
    const chain = answering({ module_versions: [{ name: "bank", version: "5" }] });
    const line = `query upgrade ${name} bank --scenario a.yaml --height 12`;
    expect((await chainlab(line, chain)).stdout).toBe(
      'module_versions:\n- name: bank\n  version: "5"\n',
    );
    expect(asked).toEqual([
      ["chain.upgrade.v1beta1.Query/ModuleVersions", { module_name: "bank" }, 12],
    ]);
  });

  test("--output json prints JSON", async () => {
    const chain = answering({ address: "chain1x" });
    const line = "query upgrade authority --scenario a.yaml --output json";
    expect((await chainlab(line, chain)).stdout).toBe('{\n  "address": "chain1x"\n}\n');
  });

  test("applied shows the header as JSON with the documented names", async () => {
    const appliedUpgrade = () => ({ height: 30, meta: META });
    const { stdout } = await chainlab("query upgrade applied v2 --scenario a.yaml", {
      appliedUpgrade,
    });
    expect(JSON.parse(stdout)).toEqual({
      block_id: { hash: "0A", parts: { total: 1, hash: "BB" } },
      block_size: "875",
      num_txs: "0",
    });
  });

  test("applied shows the height where the profile knows no more, and nothing for another name", async () => {
    const show = async (height: number) =>
      (
        await chainlab("query upgrade applied v2 --scenario a.yaml", {
          appliedUpgrade: () => ({ height }),
        })
      ).stdout;
    expect(await show(30)).toBe('height: "30"\n');
    expect(await show(0)).toBe("{}\n");
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

  test("a file that cannot be read, or is not sound, is exit status 2", async () => {
    expect(await chainlab("query upgrade plan --scenario none.yaml")).toMatchObject({
      status: 2,
      stderr: "none.yaml: cannot be read: no such file\n",
    });
    expect(await chainlab("query upgrade plan --scenario bad.yaml")).toMatchObject({
      status: 2,
      stderr: "bad.yaml:3: steps: expected a list\n",
    });
  });
});
