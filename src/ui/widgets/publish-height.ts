/**
 * Returns a ref that publishes the height of an element as a CSS property, for which elements
 * beside or below it reserve space.
 */
export function publishHeight(property: `--${string}`) {
  return (element: HTMLElement | null): (() => void) | undefined => {
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) =>
      style.setProperty(property, `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  };
}
