/** Names, patterns, comments, casts and long functions of the sources, as measures count them. */
import { parseSync } from "vite";

/** Private words for what the field has a name for, as words with dashes; the name is beside them. */
const COINAGES = new Map([
  ["bloc", "voting group"],
  ["blocs", "voting groups"],
  ["vain", "failed round"],
  ["standing", "chain status"],
  ["away", "absent, offline"],
  ["hearing", "reachability"],
  ["hears", "receives"],
  ["heard", "delivered"],
  ["standpoint", "snapshot"],
  ["rival", "competing partition"],
  ["rivals", "competing partitions"],
  ["trouble", "fault"],
  ["troubles", "faults"],
  ["troubling", "fault"],
  ["parted", "diverged"],
  ["partings", "divergence"],
  ["stray", "on an orphaned fork"],
  ["strayed", "on an orphaned fork"],
  ["elsewhere", "on another fork"],
  ["accomplices", "colluding nodes"],
  ["second-votes", "equivocations"],
  ["signs-twice", "equivocates"],
  ["signed-twice", "equivocated"],
  ["sign-once", "cancel the double sign"],
  ["told", "reported"],
  ["assembly", "membership"],
  ["disturbance", "round faults"],
  ["voices", "participation"],
  ["in-favour", "prevoted for"],
  ["unhelped", "without a live twin"],
  ["go-on-from", "restore"],
  ["take-over", "copy from, merge"],
  ["take-back", "merge"],
  ["branch-off", "fork"],
  ["hand-over", "transfer"],
  ["seat", "validator index"],
  ["barren", "rounds without block"],
  ["owed", "pending blocks"],
  ["happening", "activity draft"],
  ["askable", "query methods"],
  ["carrier", "compatible binary"],
  ["upgraders", "binaries with handler"],
  ["shelf", "session store"],
  ["sole-tab", "single-writer lock"],
  ["passed-over", "ignored"],
  ["asked", "query, requested"],
  ["asker", "caller"],
  ["beginning", "genesis"],
  ["begun", "started"],
  ["began", "start"],
  ["stem", "parent branch"],
  ["given", "input, options"],
  ["kept", "stored, persisted"],
  ["passing", "replay cursor"],
  ["led", "replayed"],
  ["brought", "loaded"],
  ["written", "source"],
  ["whichever", "any"],
  ["door", "server"],
  ["doors", "servers"],
  ["aside", "quarantine"],
  ["patience", "timeout"],
  ["patient", "with timeouts"],
  ["telling", "playback"],
  ["unsound", "invalid"],
  ["unasked", "unevaluated"],
  ["unfinished", "inconclusive"],
  ["met", "merged"],
  ["steer", "control"],
  ["steers", "controls"],
  ["otherwise", "what-if branch"],
  ["said", "text"],
  ["machine", "node"],
  ["machines", "nodes"],
]);

interface Named {
  readonly name: string;
  readonly line: number;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** The identifiers of a script, or the words of a proto file outside its comments, each once. */
export function namesIn(file: string, text: string): Named[] {
  const found = new Map<string, number>();
  const add = (name: unknown, at: number): void => {
    if (typeof name === "string" && !found.has(name)) found.set(name, at);
  };
  if (file.endsWith(".proto")) {
    const code = text.replace(/\/\/.*/g, (comment) => " ".repeat(comment.length));
    for (const match of code.matchAll(/[A-Za-z_]\w*/g)) add(match[0], match.index);
  } else {
    walk(parseSync(file, text).program as unknown as Node, (node) => {
      if (/^(Identifier|PrivateIdentifier|JSXIdentifier)$/.test(node.type)) {
        add(node.name, node.start);
      }
    });
  }
  return [...found].map(([name, at]) => ({ name, line: lineAt(text, at) }));
}

/** The names, the file's own among them, in which a coinage stands as a word. */
export function coinagesIn(file: string, names: readonly Named[]): string[] {
  return [{ name: file, line: 0 }, ...names].flatMap(({ name, line }) => {
    const words = `-${wordsOf(name)}-`;
    const coinage = [...COINAGES.keys()].find((one) => words.includes(`-${one}-`));
    return coinage
      ? [`${file}${line ? `:${line}` : ""}  ${line ? name : ""} (${COINAGES.get(coinage)})`]
      : [];
  });
}

/** `lastHeardBlock`, `LAST_HEARD_BLOCK` and `last-heard.ts` in words with dashes. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/[^A-Za-z\d]+/g, "-")
    .toLowerCase();

/** Regular expressions of a script that contain a phrase: a word beside a space. */
export function patternsOverSentences(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parseSync(file, text).program as unknown as Node, (node) => {
    const { pattern } = (node.regex ?? {}) as { pattern?: string };
    const words = pattern?.replace(/\[[^\]]*\]|\\./g, "") ?? "";
    if (/ [a-z]{2,}|[a-z]{2,}:? /.test(words)) {
      found.push(`${file}:${lineAt(text, node.start)}  /${pattern}/`);
    }
  });
  return found;
}

/** The functions of a script that have more than `most` lines, and its casts but for `as const`. */
export function shapeOf(file: string, text: string, most: number) {
  const functions: string[] = [];
  const casts: string[] = [];
  walk(parseSync(file, text).program as unknown as Node, ({ type, start, end }) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)) {
      const lines = text.slice(start, end).split("\n").length;
      if (lines > most) functions.push(`${file}:${lineAt(text, start)}  ${lines}`);
    } else if (type === "TSAsExpression" && !text.slice(start, end).endsWith("as const")) {
      casts.push(`${file}:${lineAt(text, start)}`);
    }
  });
  return { functions, casts };
}

/** Comments that begin with a noun clause, in place of a noun or a verb. */
export function clausesIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:\/\*\*?|\/\/)[\s*]*(?:What|Whether)\b.*/g)].map(
    ({ 0: comment, index }) => `${file}:${lineAt(text, index)}  ${comment}`,
  );
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === "object" && typeof child.type === "string") {
        walk(child as Node, visit);
      }
    }
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;
