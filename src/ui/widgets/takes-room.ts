/**
 * A ref that says in a property of the page's styles how high an element is. What stands beside it or scrolls below it
 * leaves it that room.
 */
export function takesRoom(property: `--${string}`) {
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
