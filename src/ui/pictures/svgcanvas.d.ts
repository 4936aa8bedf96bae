/** The one class of the library that is used: a canvas' context whose drawing is SVG. */
declare module "svgcanvas" {
  export class Context extends CanvasRenderingContext2D {
    constructor(size: { readonly width: number; readonly height: number });
    getSvg(): SVGSVGElement;
  }
}
