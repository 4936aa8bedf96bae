/** Imports, started workers and used globals of a source file, read from its syntax tree. */
import { parseSync } from "vite";

interface At {
  line: number;
}

export interface SourceFacts {
  /** Every edge to another file or package; an address is a file named by `new URL(…, import.meta.url)`. */
  imports: (At & { specifier: string; how: "import" | "address" })[];
  /** `new Worker(…)`, `new SharedWorker(…)` and `?worker` imports. */
  workers: At[];
  /**
   * Globals and members by the name they are used under: "Date.now", ".localeCompare", "new Date()",
   * "console" …
   */
  uses: (At & { name: string })[];
  /** Functions that are called when the file is loaded, those that its own functions call included. */
  atLoad: (At & { name: string })[];
  /** Edges that cannot be followed, and text that does not parse. */
  unreadable: (At & { why: string })[];
}

/** A node of the ESTree that the parser returns; only what is asked of it here. */
type Node = { type: string; start: number } & Record<string, unknown>;

export function readFacts(file: string, source: string): SourceFacts {
  const facts: SourceFacts = { imports: [], workers: [], uses: [], atLoad: [], unreadable: [] };
  const lineAt = (offset: number): number => source.slice(0, offset).split("\n").length;
  const { program, comments, errors } = parseSync(file, source);

  for (const error of errors) {
    const line = lineAt(error.labels[0]?.start ?? 0);
    facts.unreadable.push({ line, why: `does not parse: ${error.message}` });
  }
  for (const comment of comments) {
    if (/^\/\s*<reference\b/.test(comment.value)) {
      const why = "a reference comment brings in types that the layer's tsconfig.json withholds";
      facts.unreadable.push({ line: lineAt(comment.start), why });
    }
  }

  const own = new Set<string>();
  const addImport = (node: Node, from: unknown, how: "import" | "address" = "import"): void => {
    const line = lineAt(node.start);
    const specifier = literal(from);
    if (specifier === undefined) {
      facts.unreadable.push({ line, why: "an import that is not a plain string" });
      return;
    }
    const [path = "", query = ""] = specifier.split("?", 2);
    facts.imports.push({ line, specifier: path, how });
    if (/\b(shared)?worker\b/.test(query)) facts.workers.push({ line });
  };

  walk(program as unknown as Node, (node, parent, key) => {
    const line = (): number => lineAt(node.start);
    for (const name of declaredBy(node)) own.add(name);
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "ImportExpression":
      case "TSImportType":
        addImport(node, node.source);
        break;
      case "ExportNamedDeclaration":
        if (node.source) addImport(node, node.source);
        break;
      case "TSExternalModuleReference":
        addImport(node, node.expression);
        break;
      case "CallExpression": {
        const callee = nameOf(node.callee);
        const [first] = list(node.arguments);
        if (callee === "require") addImport(node, first);
        if (callee === "import.meta.glob") {
          for (const pattern of first?.type === "ArrayExpression" ? list(first.elements) : [first])
            addImport(node, pattern);
        }
        if (callee === "Date") facts.uses.push({ line: line(), name: "Date()" });
        break;
      }
      case "NewExpression": {
        const callee = nameOf(node.callee)?.replace(/^(globalThis|self|window)\./, "");
        const [first, second] = list(node.arguments);
        if (callee === "Worker" || callee === "SharedWorker") facts.workers.push({ line: line() });
        // The way bundlers find files that are not imported.
        if (callee === "URL" && nameOf(second) === "import.meta.url")
          addImport(node, first, "address");
        if (callee === "Date" && !first) facts.uses.push({ line: line(), name: "new Date()" });
        break;
      }
      case "MemberExpression": {
        const name = nameOf(node);
        if (name) facts.uses.push({ line: line(), name });
        const property = node.computed ? literal(node.property) : nameOf(node.property);
        if (property) facts.uses.push({ line: line(), name: `.${property}` });
        break;
      }
      case "Identifier":
        if (isReference(parent, key)) {
          facts.uses.push({ line: line(), name: String(node.name) });
          if (!["object", "callee", "typeName"].includes(key))
            facts.uses.push({ line: line(), name: `${node.name} as a value` });
        }
        break;
    }
  });

  facts.atLoad = calledAtLoad(program as unknown as Node, lineAt);
  // A file's own `process` or `window` (a parameter, say) is not the global one; the compiler, which
  // knows scopes, refuses the globals that the layer's library does not have.
  facts.uses = facts.uses.filter(({ name }) => !own.has(name));
  return facts;
}

function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, key: string) => void,
): void {
  const go = (current: Node, parent: Node | undefined, key: string): void => {
    visit(current, parent, key);
    for (const [childKey, value] of Object.entries(current)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) go(child, current, childKey);
      }
    }
  };
  go(node, undefined, "");
}

/** Methods that call a function that they are given at once. */
const CALLS_AT_ONCE =
  /(^|\.)(map|flatMap|filter|forEach|reduce|reduceRight|some|every|find|findLast|findIndex|sort|toSorted|from|fromAsync|groupBy)$/;

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

function calledAtLoad(program: Node, lineAt: (offset: number) => number): SourceFacts["atLoad"] {
  /** Bodies of the file's own functions by name. */
  const bodies = new Map<string, Node>();
  for (const statement of list(program.body)) {
    const declared = isNode(statement.declaration) ? statement.declaration : statement;
    if (declared.type === "FunctionDeclaration") bodies.set(nameOf(declared.id) ?? "", declared);
    for (const { id, init } of list(declared.declarations)) {
      if (isNode(init) && FUNCTIONS.includes(init.type)) bodies.set(nameOf(id) ?? "", init);
    }
  }
  const found: SourceFacts["atLoad"] = [];
  const seen = new Set<string>();
  const call = (name: string | undefined, line: number): void => {
    if (name === undefined) return;
    found.push({ line, name });
    const body = bodies.get(name);
    if (body === undefined || seen.has(name)) return;
    seen.add(name);
    visit(body.body, line);
  };
  const visit = (value: unknown, within?: number): void => {
    for (const node of Array.isArray(value) ? value : [value]) {
      if (!isNode(node) || FUNCTIONS.includes(node.type)) continue;
      const line = within ?? lineAt(node.start);
      if (node.type === "CallExpression") {
        const given = isNode(node.callee) ? node.callee : undefined;
        const inner = given?.type === "ParenthesizedExpression" ? given.expression : given;
        const callee = isNode(inner) ? inner : undefined;
        const method =
          callee?.type === "MemberExpression" ? nameOf(callee.property) : nameOf(callee);
        call(nameOf(callee), line);
        if (callee && FUNCTIONS.includes(callee.type)) visit(callee.body, within);
        for (const argument of CALLS_AT_ONCE.test(method ?? "") ? list(node.arguments) : []) {
          call(nameOf(argument), line);
          if (FUNCTIONS.includes(argument.type)) visit(argument.body, within);
        }
      }
      // Static fields are made when the file is loaded; the others with each object.
      if (node.type === "MethodDefinition") continue;
      if (node.type === "PropertyDefinition" && node.static !== true) continue;
      for (const child of Object.values(node)) visit(child, within);
    }
  };
  visit(program.body);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function literal(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === "Literal" && typeof value.value === "string") return value.value;
  const [only, ...more] = list(value.quasis);
  if (value.type !== "TemplateLiteral" || !only || more.length > 0) return undefined;
  return (only.value as { cooked: string }).cooked;
}

/** "a.b.c" for a chain of plain names, undefined for anything computed. */
function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === "Identifier") return String(value.name);
  if (value.type === "MetaProperty") return "import.meta";
  if (value.type !== "MemberExpression") return undefined;
  const object = nameOf(value.object);
  const property = value.computed ? literal(value.property) : nameOf(value.property);
  return object && property ? `${object}.${property}` : undefined;
}

const NAME_KEYS = ["key", "property", "imported", "exported", "label", "qualifier"];

/** An identifier that stands for a value, not for the name of a property or an alias. */
function isReference(parent: Node | undefined, key: string): boolean {
  if (!parent || parent.computed) return true;
  return !NAME_KEYS.includes(key) && parent.type !== "TSQualifiedName";
}

function declaredBy(node: Node): string[] {
  switch (node.type) {
    case "CatchClause":
      return bound(node.param);
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return bound(node.local);
    default:
      // Variables, functions and classes have an id; functions, function types and index signatures
      // have parameters.
      return [node.id, ...list(node.params), ...list(node.parameters)].flatMap(bound);
  }
}

/** The names that a pattern binds. */
function bound(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern.name)];
    case "ObjectPattern":
      return list(pattern.properties).flatMap((p) => bound(p.value ?? p.argument));
    case "ArrayPattern":
      return list(pattern.elements).flatMap(bound);
    case "AssignmentPattern":
      return bound(pattern.left);
    case "RestElement":
      return bound(pattern.argument);
    default:
      return [];
  }
}
