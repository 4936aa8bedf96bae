import { expect, test } from "vitest";
import { csvOf } from "./chart-table.ts";

const show = String;

test("a table becomes CSV with its titles first, and numbers without separators", () => {
  const columns = ["Height", "Burned, stake"].map((title) => ({ title, show }));
  const rows = () => [
    [1, 0],
    [12_345, 5_000_000],
  ];
  expect(csvOf({ columns, rows })).toBe('Height,"Burned, stake"\r\n1,0\r\n12345,5000000\r\n');
});

test("names are quoted where they must be, and never read as formulas", () => {
  const columns = [{ title: "Validator", show }];
  const rows = () => [['a "b", c'], ["=1+1"], ["-x"]];
  expect(csvOf({ columns, rows })).toBe('Validator\r\n"a ""b"", c"\r\n\'=1+1\r\n\'-x\r\n');
});
