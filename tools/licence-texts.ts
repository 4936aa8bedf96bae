/** Writes the licences of the packages that a build contains beside it, as the licences ask. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { packagesAt } from "./licences.ts";

const NAME = "third-party-licences.txt";

/** Two plugins of one build: its workers are bundled apart, and before the page. */
export function licenceTexts(): { page: Plugin; worker: Plugin } {
  const paths = new Set<string>();
  const collect = (bundle: Rolldown.OutputBundle): void => {
    for (const output of Object.values(bundle)) {
      if (output.type !== "chunk") continue;
      for (const id of Object.keys(output.modules)) {
        const path = /(?:^|\/)(node_modules\/.*node_modules\/|node_modules\/)(@[^/]+\/)?[^/]+/.exec(
          id,
        );
        if (path) paths.add(path[0].replace(/^\//, ""));
      }
    }
  };
  return {
    worker: {
      name: "chainlab:worker-licences",
      generateBundle: (_, bundle) => collect(bundle),
    },
    page: {
      name: "chainlab:licences",
      apply: "build",
      generateBundle(_, bundle) {
        collect(bundle);
        const source = thirdPartyText(this.environment.config.root, paths);
        this.emitFile({ type: "asset", fileName: NAME, source });
      },
    },
  };
}

/** Returns the licence texts of the packages at these paths. */
export function thirdPartyText(root: string, paths: Iterable<string>): string {
  // Chainlab's own licence, and that of the packages that name it and bring no text.
  const apache = readFileSync(join(root, "LICENSE"), "utf8").trim();
  const parts = packagesAt(root, paths).map(({ name, version, licence, text, heads }) => {
    if (!text && !licence.includes("Apache-2.0")) throw new Error(`${name} brings no licence text`);
    const all = text || [...heads, apache].join("\n\n");
    return `${name} ${version} (${licence.replace(/^\((.*)\)$/, "$1")})\n\n${all}`;
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return `${["Chainlab contains these packages.", ...parts].join(rule)}\n`;
}
