let loading: Promise<unknown> | undefined;

/**
 * Loads the styles of all parts that the first screen does not need; rejects if they are
 * unavailable, and the next call retries. The built page has their address; the development server
 * adds them to each part.
 */
export function laterStyles(): Promise<unknown> {
  loading ??= load(document.querySelector<HTMLMetaElement>("meta[name=later-styles]")?.content);
  return loading;
}

function load(href: string | undefined): Promise<unknown> {
  if (href === undefined) return Promise.resolve();
  const link = document.createElement("link");
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      loading = undefined;
      reject(new Error("the styles could not be loaded"));
    };
    link.rel = "stylesheet";
    link.href = href;
    document.head.append(link);
  });
}
