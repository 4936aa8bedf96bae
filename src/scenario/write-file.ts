/** Writes a scenario as text: YAML with its comments, or JSON if that would be too long. */
import { Document, isMap, isSeq, type Node, type Scalar } from "yaml";
import { INPUT } from "../base/limits.ts";
import type { SourceStep } from "./format-command.ts";

/** A step, or a description of an omitted one. */
export type Item = { readonly step: SourceStep } | { readonly leftOut: string };

export interface FileText {
  /** A name for the file. */
  readonly file: string;
  readonly text: string;
}

/** Maximum characters of a map or list on one line. */
const LINE = 88;

/** Builds a file from its head and its steps. Throws an Error if it exceeds the size limit. */
export function fileText(
  head: Readonly<Record<string, unknown>>,
  items: readonly Item[],
): FileText {
  const steps = items.flatMap((item) => ("step" in item ? [item.step] : []));
  if (steps.length > INPUT.steps) {
    throw new Error(`it has ${steps.length} steps, and a file has at most ${INPUT.steps}`);
  }
  const json = JSON.stringify({ ...head, steps }, null, 1);
  if (json.length > YAML_MOST) {
    if (json.length > INPUT.fileBytes) {
      throw new Error(
        `it has ${json.length} characters, and a file has at most ${INPUT.fileBytes}`,
      );
    }
    return { file: "recorded.json", text: `${json}\n` };
  }
  return { file: "recorded.yaml", text: yamlOf(head, items) };
}

/** Maximum characters of JSON whose YAML is within the limits. */
const YAML_MOST = 400_000;

function yamlOf(head: Readonly<Record<string, unknown>>, items: readonly Item[]): string {
  const document = new Document({ ...head, steps: [] });
  const root = document.contents as unknown as { items: { key: Node; value: Node | null }[] };
  for (const { key, value } of root.items) {
    if (value) shape(value, `${key}`.length + 2);
    key.spaceBefore = ["genesis", "binaries", "steps"].includes(`${key}`);
  }
  const steps = document.get("steps");
  if (!isSeq(steps)) return document.toString(STYLE);
  steps.flow = items.every((item) => "leftOut" in item);
  let before: string[] = [];
  for (const item of items) {
    if ("leftOut" in item) {
      before.push(` Left out: ${oneLine(item.leftOut)}`);
      continue;
    }
    const node = stepNode(document, item.step);
    if (before.length > 0) node.commentBefore = before.join("\n");
    before = [];
    steps.add(node);
  }
  if (before.length > 0) steps.comment = before.join("\n");
  const missing = items.filter((item) => "leftOut" in item).length;
  if (missing > 0) {
    document.commentBefore = ` ${missing === 1 ? "One thing was" : `${missing} things were`} done that no step can say: without ${missing === 1 ? "it" : "them"} this file leads to another world.`;
  }
  return document.toString(STYLE);
}

const STYLE = { lineWidth: 0, flowCollectionPadding: true } as const;

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

/** Formats a step as lines of a list item. */
export function stepText(step: SourceStep): readonly string[] {
  const document = new Document([]);
  if (isSeq(document.contents)) document.contents.add(stepNode(document, step));
  return document.toString(STYLE).trimEnd().split("\n");
}

/** A step as a node of a document's list: short maps are on one line. */
function stepNode(document: Document, step: SourceStep): Node {
  const node = document.createNode(step) as Node;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (value) shape(value as Node, String((key as Scalar).value).length + 6);
    }
  }
  return node;
}

/** Puts short maps and lists on one line. */
function shape(node: Node, indent: number): void {
  if (!isMap(node) && !isSeq(node)) return;
  const flat = JSON.stringify(node.toJSON());
  if (flat.length + indent <= LINE && node.items.length > 0) {
    node.flow = true;
    return;
  }
  if (isSeq(node)) for (const item of node.items) shape(item as Node, indent + 2);
  else {
    for (const { key, value } of node.items) {
      if (value) shape(value as Node, indent + String((key as Scalar).value).length + 4);
    }
  }
}
