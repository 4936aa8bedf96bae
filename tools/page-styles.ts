/**
 * Writes the styles of the first screen into the built page itself, which has them while its scripts are on their way.
 * Those of all parts that are loaded later are one sheet, whose address the page says and `src/ui/styles/later.ts`
 * loads: Vite would load one for each part, and not again where it failed.
 */
import type { Plugin } from "vite";

type Bundle = Parameters<Extract<Plugin["generateBundle"], (...args: never) => unknown>>[1];
type Chunk = Extract<Bundle[string], { type: "chunk" }>;

/** Vite's helper that preloads the style sheets of lazy parts; here none has any. */
const PRELOAD = "\0vite/preload-helper.js";
const IMPORT = "export const __vitePreload = (load) => load();";

/** Vite's note for its own hashes, which it takes out of the sheets that it writes itself. */
const NOTE = /\/\*\$vite\$:\d+\*\//g;

export function pageStyles(): Plugin {
  let first = "";
  let later = "";
  return {
    name: "chainlab:page-styles",
    apply: "build",
    // Ahead of Vite's own plugins, which write the sheets of a part to where it is imported.
    enforce: "pre",
    load: (id) => (id === PRELOAD ? IMPORT : undefined),
    generateBundle: {
      order: "pre",
      handler(_, bundle) {
        const [atOnce, others] = inOrder(bundle);
        first = taken(atOnce, bundle);
        const asset = { type: "asset", name: "later.css", source: taken(others, bundle) } as const;
        later = this.getFileName(this.emitFile(asset));
      },
    },
    transformIndexHtml: {
      order: "post",
      // Ahead of the scripts: when a browser comes to these, the page's own connection is free for the first of them.
      handler: (html) => {
        const styles = `<style>${first}</style>\n    <meta name="later-styles" content="./${later}" />`;
        return html.replace("<script", () => `${styles}\n    <script`);
      },
    },
  };
}

/** The chunks that the page loads at once, and all others; those that are imported stand ahead of what imports them. */
function inOrder(bundle: Bundle): [Chunk[], Chunk[]] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const reached = new Set<string>();
  const dynamic = new Set<string>();
  const reach = (file: string): Chunk[] => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || reached.has(file)) return [];
    reached.add(file);
    for (const imported of chunk.dynamicImports) dynamic.add(imported);
    return [...chunk.imports.flatMap(reach), chunk];
  };
  const atOnce = chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => reach(fileName));
  // A set that grows while it is walked hands out the new files too.
  const others: Chunk[] = [];
  for (const file of dynamic) others.push(...reach(file));
  return [atOnce, others];
}

/** Takes the sheets of these chunks out of the build, and gives what stands in them. */
function taken(chunks: readonly Chunk[], bundle: Bundle): string {
  return chunks
    .flatMap(({ viteMetadata }) => {
      const files = [...(viteMetadata?.importedCss ?? [])];
      viteMetadata?.importedCss.clear();
      return files.map((file) => sheetOf(file, bundle));
    })
    .join("");
}

function sheetOf(file: string, bundle: Bundle): string {
  const sheet = bundle[file];
  if (sheet?.type !== "asset") throw new Error(`the build has no ${file}`);
  delete bundle[file];
  return String(sheet.source).replaceAll(NOTE, "");
}
