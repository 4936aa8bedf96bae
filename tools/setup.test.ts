import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { missingFiles, recordInstalled } from "./installed-files.mjs";
import { dependenciesMatch, isStale, problemOfPath, ROOT } from "./setup.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "setup-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe("dependencies are installed when", () => {
  const lock = (packages: object): string => JSON.stringify({ packages });

  beforeEach(() => {
    put("package-lock.json", lock({ "": {}, "node_modules/a": { version: "1.0.0" } }));
    put("node_modules/a/package.json", "{}");
  });

  test("node_modules holds what the lockfile names", () => {
    expect(dependenciesMatch(root)).toBe(false);
    put("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.0" } }));
    expect(dependenciesMatch(root)).toBe(true);
  });

  test("the versions are the lockfile's", () => {
    put("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.1" } }));
    expect(dependenciesMatch(root)).toBe(false);
  });

  test("the folders are really there", () => {
    put("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.0" } }));
    rmSync(join(root, "node_modules/a"), { recursive: true });
    expect(dependenciesMatch(root)).toBe(false);
  });

  test("only binaries for other platforms are missing", () => {
    const a = { "node_modules/a": { version: "1.0.0" } };
    put(
      "package-lock.json",
      lock({ ...a, "node_modules/a-win32": { version: "1.0.0", optional: true } }),
    );
    put("node_modules/.package-lock.json", lock(a));
    expect(dependenciesMatch(root)).toBe(true);
  });
});

test("the lockfile names every package that another one needs, for any platform", () => {
  const lockfile = new URL("../package-lock.json", import.meta.url);
  const { packages } = JSON.parse(readFileSync(lockfile, "utf8")) as {
    packages: Record<string, Partial<Record<"dependencies" | "optionalDependencies", object>>>;
  };
  /** Resolves a package as Node does, from the innermost folder outwards. */
  const isFound = (path: string, name: string): boolean => {
    const folders = path.split(/(?:^|\/)node_modules\//).slice(1);
    return [...folders, ""].some((_, i) => {
      const outer = folders.slice(0, folders.length - i);
      return [...outer, name].map((each) => `node_modules/${each}`).join("/") in packages;
    });
  };
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isFound(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

describe("an install that was whole", () => {
  const lockfile = "node_modules/.package-lock.json";

  beforeEach(() => {
    put("node_modules/a/package.json", "{}");
    put("node_modules/a/lib/deep.js", "");
    put("node_modules/.bin/a", "");
    put("node_modules/.vite/cache", "");
    put(lockfile, "{}");
    recordInstalled(root);
  });

  test("lacks nothing while all its files are there, whatever the tools add and remove", () => {
    put("node_modules/a/more.js", "");
    rmSync(join(root, "node_modules/.vite"), { recursive: true });
    expect(missingFiles(root)).toEqual([]);
  });

  test("lacks each file that is gone, commands too", () => {
    rmSync(join(root, "node_modules/a/lib/deep.js"));
    rmSync(join(root, "node_modules/.bin/a"));
    expect(missingFiles(root)).toEqual([".bin/a", "a/lib/deep.js"]);
    expect(missingFiles(root)).toHaveLength(2);
  });

  test("is another after npm ran again", () => {
    rmSync(join(root, "node_modules/a/lib/deep.js"));
    utimesSync(join(root, lockfile), 1000, 1000);
    expect(missingFiles(root)).toEqual([]);
    rmSync(join(root, "node_modules/.bin/a"));
    expect(missingFiles(root)).toEqual([".bin/a"]);
  });

  test("is recorded anew when the record cannot be read", () => {
    put("node_modules/.chainlab-installed.json", "{");
    expect(missingFiles(root)).toEqual([]);
    rmSync(join(root, "node_modules/.bin/a"));
    expect(missingFiles(root)).toEqual([".bin/a"]);
  });
});

describe("npm", () => {
  /** Makes sure of the dependencies of a checkout whose npm does as the script says; its words. */
  function ensure(npm: string): { status: number | null; words: string } {
    for (const file of ["setup.mjs", "installed-files.mjs"])
      put(`tools/${file}`, readFileSync(new URL(file, import.meta.url), "utf8"));
    put("package-lock.json", JSON.stringify({ packages: { "node_modules/a": { version: "1" } } }));
    put("npm-cli.js", `const fs = require("node:fs");\n${npm}\n`);
    const script = 'import("./tools/setup.mjs").then((setup) => setup.ensureDependencies())';
    const env = { npm_execpath: join(root, "npm-cli.js") };
    const run = spawnSync(process.execPath, ["-e", script], { cwd: root, env, encoding: "utf8" });
    return { status: run.status, words: run.stderr };
  }

  test("is asked once more when it fails, since a network may fail once", () => {
    const { status, words } = ensure(
      `if (fs.existsSync("failed")) fs.mkdirSync("node_modules");
       else { fs.writeFileSync("failed", ""); process.exit(1); }`,
    );
    expect(status).toBe(0);
    expect(words).toContain("Once more");
  });

  test("is not asked a third time", () => {
    const { status, words } = ensure('fs.appendFileSync("asked", "x"); process.exit(1);');
    expect(status).not.toBe(0);
    expect(words).toContain("npm could not install the dependencies");
    expect(readFileSync(join(root, "asked"), "utf8")).toBe("xx");
  });
});

test.each(["/home/me/a#b", "/home/what?/lab", "/home/100%/lab"])(
  "a path that the tools misread is refused in words: %j",
  (path) => {
    expect(problemOfPath(path)).toContain(`Rename or move it: ${path}`);
  },
);

test.each(["/home/me/a b", "/home/a%20b", "C:\\me\\lab", "/home/ä'ö[x]"])(
  "a path may be %j",
  (path) => {
    expect(problemOfPath(path)).toBeUndefined();
  },
);

describe("a build is stale when", () => {
  const at = (file: string, seconds: number): void =>
    utimesSync(join(root, file), seconds, seconds);

  beforeEach(() => {
    put("src/deep/a.ts", "");
    put("dist/main.js", "");
    at("src/deep/a.ts", 1000);
    at("src/deep", 1000);
    at("src", 1000);
    at("dist/main.js", 2000);
  });

  test("it is older than a source, however deep, and only then", () => {
    expect(isStale("dist/main.js", ["src"], root)).toBe(false);
    at("src/deep/a.ts", 3000);
    expect(isStale("dist/main.js", ["src"], root)).toBe(true);
  });

  test("a source was removed", () => {
    rmSync(join(root, "src/deep/a.ts"));
    expect(isStale("dist/main.js", ["src"], root)).toBe(true);
  });

  test("it is missing", () => {
    expect(isStale("dist/other.js", ["src"], root)).toBe(true);
  });

  test("not when only a test changed", () => {
    put("src/deep/a.test.ts", "");
    at("src/deep", 1000);
    expect(isStale("dist/main.js", ["src"], root)).toBe(false);
  });
});

test("the command is built again when a part of its build changes, or a file that goes into it", () => {
  const text = (file: string): string => readFileSync(join(ROOT, file), "utf8");
  const found = (file: string, what: RegExp): string[] =>
    [...text(file).matchAll(what)].map(([, path]) => path as string);
  const plugins = found("vite.node.config.ts", /from "\.\/(.+?)"/g);
  const read = plugins.flatMap((file) => found(file, /"(tools\/[\w-]+\.\w+)"/g));
  expect(read).not.toEqual([]);
  const listed = text("bin/chainlab.mjs");
  expect([...plugins, ...read].filter((file) => !listed.includes(`"${file}"`))).toEqual([]);
});
