/** Puts the rules into the build: as pages of their own, and as texts for what explains something by them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync, type Plugin, transformWithOxc } from "vite";
import type { RuleTexts } from "../../src/ui/widgets/rule-texts.ts";
import { pageOf, STYLES, THEME } from "./html.ts";
import { addressOf, type Document, readDocuments } from "./read.ts";

/** The folder of the build. */
const FOLDER = "rules";

export function rulePages(): Plugin {
  let root = "";
  return {
    name: "chainlab:rule-pages",
    configResolved(config) {
      ({ root } = config);
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${FOLDER}`, async ({ url = "/" }, response, next) => {
        const [name = ""] = url.slice(1).split(/[?#]/);
        const file = (await ruleFiles(root)).find(([path]) => path === name);
        if (file === undefined) return next();
        response.setHeader("Content-Type", TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain");
        response.end(file[1]);
      });
    },
    async generateBundle() {
      for (const [name, source] of await ruleFiles(root))
        this.emitFile({ type: "asset", fileName: `${FOLDER}/${name}`, source });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript" },
  json: "application/json",
};

/** Every file of the folder, by its name. */
export async function ruleFiles(root: string): Promise<readonly (readonly [string, string])[]> {
  const documents = readDocuments(root);
  const source = (path: string): string => readFileSync(join(root, path), "utf8");
  const styles = [
    "src/ui/styles/tokens.css",
    "src/ui/styles/base.css",
    "tools/rule-pages/rules.css",
  ];
  const theme = "src/ui/store/kept-theme.ts";
  const { code } = await transformWithOxc(source(theme), theme);
  // It runs before anything is painted, which a module does not.
  const script = code.replace(/^export /gm, "");
  return [
    ...documents.map((each) => [`${each.name}.html`, pageOf(each, documents)] as const),
    [STYLES, styles.map(source).join("\n")],
    [THEME, minifySync(THEME, `{${script}}`).code],
    ["rules.json", JSON.stringify(textsOf(documents))],
  ];
}

/** Every rule by its file and number, such as `evidence 5.5`. */
export const textsOf = (documents: readonly Document[]): RuleTexts =>
  Object.fromEntries(
    documents.flatMap(({ name, sections }) =>
      sections.flatMap(({ rules }) =>
        rules
          .filter(({ number }) => number !== "")
          .map(({ number, name: title, pieces }) => [
            `${name} ${number}`,
            { title, pieces, href: addressOf(name, number) },
          ]),
      ),
    ),
  );
