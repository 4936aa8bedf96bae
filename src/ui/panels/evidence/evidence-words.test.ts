import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { EvidenceLineSchema } from "../../../gen/lab/v1/lab_pb.ts";
import type { EvidenceLine } from "../../store/types.ts";
import { matches, namesAndMore, titleOf } from "./evidence-words.ts";

const line = (input: MessageInitShape<typeof EvidenceLineSchema>): EvidenceLine =>
  create(EvidenceLineSchema, {
    kind: "duplicate vote",
    validators: ["val-2"],
    height: 6,
    ...input,
  });

test("a piece is titled by who did what at which height", () => {
  const titles = [
    line({}),
    line({ kind: "double sign" }),
    line({ kind: "lunatic" }),
    line({ kind: "lunatic", validators: ["val-1", "val-2"] }),
    line({ kind: "equivocation", validators: [] }),
    line({ kind: "amnesia", validators: [] }),
    line({ kind: "counterfactual" }),
    line({ kind: "type 9", validators: [], height: 0 }),
    line({ kind: "downtime-proof", height: 1200 }),
  ].map(titleOf);
  expect(titles).toEqual([
    "val-2 double-signed at block 6",
    "val-2 double-signed at block 6",
    "val-2 attacked a light client at block 6",
    "val-1 and val-2 attacked a light client at block 6",
    "Evidence: equivocation at block 6",
    "A light client was attacked at block 6",
    "val-2 signed for another chain at block 6",
    "Evidence: type 9",
    "val-2: downtime-proof at block 1,200",
  ]);
});

test("a line is found by every word that it shows", () => {
  const found = line({ outcome: "ignored", why: "validator already tombstoned", block: 7 });
  for (const wanted of ["", "VAL-2", "tombstoned val-2", "block 7", "double", "ignored"]) {
    expect(matches(found, wanted), wanted).toBe(true);
  }
  expect(matches(found, "val-2 slashed")).toBe(false);
});

test("the first names stand for many", () => {
  expect(namesAndMore(["a", "b"], 0)).toBe("a and b");
  expect(namesAndMore(["a", "b"], 6)).toBe("a, b and 6 others");
});
