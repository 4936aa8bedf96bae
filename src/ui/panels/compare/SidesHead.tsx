import { Letter } from "./Letter.tsx";

/** The head of a table in which the last two columns are the two sides. */
export const SidesHead = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
      {(["A", "B"] as const).map((side) => (
        <th key={side} scope="col">
          <Letter of={side} />
        </th>
      ))}
    </tr>
  </thead>
);
