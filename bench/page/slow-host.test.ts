import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveFolder } from "../../tools/static-server.mjs";
import { slowHost } from "./slow-host.ts";

test("a slow host serves what the host behind it does, texts compressed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slow-host-"));
  const text = "chain ".repeat(10_000);
  writeFileSync(join(folder, "a.js"), text);
  writeFileSync(join(folder, "a.png"), text);
  const host = await serveFolder(folder, 0);
  const slow = await slowHost(host.origin, { bitsPerSecond: 1e9, roundTripMs: 1 });
  try {
    const script = await fetch(new URL("a.js", slow.origin));
    expect(script.headers.get("content-encoding")).toBe("gzip");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toBe(text);
    const picture = await fetch(new URL("a.png", slow.origin));
    expect(picture.headers.get("content-encoding")).toBeNull();
    expect(await picture.text()).toBe(text);
    expect((await fetch(new URL("none.js", slow.origin))).status).toBe(404);
  } finally {
    await slow.close();
    await host.close();
    rmSync(folder, { recursive: true });
  }
});
