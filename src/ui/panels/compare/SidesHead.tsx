import { Letter } from "./Letter.tsx";

/** The head of a table whose last two columns are the sides. */
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
