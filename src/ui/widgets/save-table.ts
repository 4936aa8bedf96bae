import { csvRow } from "../../base/csv.ts";
import { saveFile } from "./save-file.ts";

/** Saves rows as CSV. */
export const saveTable = (name: string, rows: readonly (readonly (string | number)[])[]): void =>
  saveFile(`${name}.csv`, rows.map(csvRow).join(""), "text/csv");
