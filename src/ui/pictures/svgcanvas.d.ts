/** The used class of the library: a canvas context that draws SVG. */
declare module "svgcanvas" {
  export class Context extends CanvasRenderingContext2D {
    constructor(size: { readonly width: number; readonly height: number });
    getSvg(): SVGSVGElement;
  }
}
