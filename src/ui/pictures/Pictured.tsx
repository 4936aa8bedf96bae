import type { ReactNode } from "react";
import css from "./SavePicture.module.css";
import SavePicture from "./SavePicture.tsx";

/**
 * An element that can be saved as a picture, including scrolled-out content, with the corner that
 * saves it.
 */
export function Pictured({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={css.pictured}>
      {children}
      <SavePicture title={title} after />
    </div>
  );
}
