import type { ReactNode } from "react";
import type { Problem } from "../store/types.ts";
import css from "./Stories.module.css";

interface FileProblemsProps {
  problems: readonly Problem[];
  /** The name of the file. */
  children: ReactNode;
}

/** The problems of a file, each with its position. */
export function FileProblems({ problems, children }: FileProblemsProps) {
  return (
    <div className={css.problems}>
      <p>Nothing has run. {children}</p>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}${problem.path}${problem.message}`}>
            {problem.line > 0 && <span>line {problem.line} </span>}
            {problem.column > 0 && <span>column {problem.column} </span>}
            {problem.path && <code>{problem.path}</code>} {problem.message}
          </li>
        ))}
      </ul>
    </div>
  );
}
