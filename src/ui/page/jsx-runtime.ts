/**
 * JSX runtime of the page: React's own functions, with texts made safe to display. Names, titles
 * and notes come from files, and each becomes an element's text or a visible attribute.
 */
import type { ElementType, Key, ReactElement } from "react";
import * as react from "react/jsx-runtime";
import { withShownTexts } from "./shown-text.ts";

export type { JSX } from "react/jsx-runtime";
export const { Fragment } = react;

type Create = (type: ElementType, props: unknown, key?: Key) => ReactElement;

/** A component's own properties are data; only its output is displayed. */
const showing =
  (create: Create): Create =>
  (type, props, key) =>
    create(
      type,
      typeof type === "string" || type === Fragment ? withShownTexts(props) : props,
      key,
    );

export const jsx = showing(react.jsx);
export const jsxs = showing(react.jsxs);
