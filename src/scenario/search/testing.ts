import { type Family, readFamily } from "./family.ts";

/** The family of a file's text. Throws if it has a problem. */
export function familyOf(text: string, file = "family.yaml"): Family {
  const read = readFamily({ file, text, imports: {} });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  return read.family;
}
