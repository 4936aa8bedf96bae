import * as v from "valibot";
import { defineExpectation } from "../../expectation.ts";
import { about, map, oneOf, text } from "../../fields.ts";
import { firstMismatch, show } from "../../match.ts";
import { resolveAll } from "../../references.ts";
import { StepError, Unanswerable } from "../../step-context.ts";

/** A file on a node's disk; paths are relative to its home, with or without `data/`. */
export const disk = defineExpectation({
  key: "disk",
  args: map({
    disk: about(text, "Node whose disk is checked."),
    file: about(text, "Path of the file, relative to the node's home; data/ may be omitted."),
    is: about(v.optional(oneOf("present", "absent"), "present"), "State of the file."),
    json: about(
      v.optional(v.unknown()),
      "Expected part of the file's content: every key here must exist and match.",
    ),
  }),
  reads: "world",
  check({ disk: node, is, json }, check) {
    check.node(node, "disk");
    if (is === "absent" && json !== undefined) {
      check.problem("expected no content of a file that is absent", "json");
    }
  },
  *opens({ sim }, { disk: node }) {
    if (sim.node(node) !== undefined) yield* sim.readByFiles(node);
  },
  verify(context, { disk: node, file, is, json }) {
    if (!context.sim.node(node)) throw new Unanswerable(`there is no node ${node}`, "disk");
    const files = context.sim.files(node);
    const content = files.get(file) ?? files.get(`data/${file}`);
    if (is === "absent") {
      if (content === undefined) return "nothing";
      throw new StepError(
        `expected no ${file} on the disk of ${node}, found ${show(content)}`,
        "is",
      );
    }
    if (content === undefined) {
      const found = [...files.keys()].join(", ") || "an empty disk";
      throw new StepError(`expected ${file} on the disk of ${node}, found ${found}`, "file");
    }
    if (json === undefined) return show(content);
    const mismatch = firstMismatch(resolveAll(context, json), parse(content, file), "json");
    if (!mismatch) return show(content);
    throw new StepError(
      `${file} of ${node}: expected ${show(mismatch.expected)}, found ${show(mismatch.found)}`,
      mismatch.path,
    );
  },
});

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new StepError(`expected JSON in ${file}, found ${show(content)}`, "file");
  }
}
