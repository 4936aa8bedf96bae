const NAMESPACE = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number>>;

export function place(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, typeof value === "number" ? `${rounded(value)}` : value);
}

/** Rounds to the visible precision. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** An element of a picture. */
export function svgElement(name: string, attributes: Attributes): SVGElement {
  const element = document.createElementNS(NAMESPACE, name) as SVGElement;
  place(element, attributes);
  return element;
}
