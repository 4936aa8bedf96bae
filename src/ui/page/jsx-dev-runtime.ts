/** The same for the development server, whose React also records an element's source position. */
import type { ElementType, Key, ReactElement } from "react";
import * as react from "react/jsx-dev-runtime";
import { withShownTexts } from "./shown-text.ts";

export type { JSX } from "react/jsx-dev-runtime";
export const { Fragment } = react;

export const jsxDEV = (
  type: ElementType,
  props: unknown,
  key: Key | undefined,
  isStatic: boolean,
  ...rest: [source?: react.JSXSource, self?: unknown]
): ReactElement =>
  react.jsxDEV(
    type,
    typeof type === "string" || type === Fragment ? withShownTexts(props) : props,
    key,
    isStatic,
    ...rest,
  );
