import "../../styles/tokens.css";
import { create } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import type { Client } from "../../../client/client.ts";
import { NodeSchema, ValidatorSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { Ring } from "./Ring.tsx";

const NAMES = Array.from({ length: 100 }, (_, i) => `val-${i}`);

/** The ring in a container of some size, with a power for each validator; one is tombstoned. */
function show(size: string, powers: readonly number[], tombstoned: number) {
  const page = createPage({} as Client);
  const names = NAMES.slice(0, powers.length);
  page.frames.setState({
    frame: frameOf({
      nodes: names.map((name) => create(NodeSchema, { name, validator: name, process: "running" })),
      validators: names.map((name, i) => {
        const out = i === tombstoned;
        return create(ValidatorSchema, {
          name,
          power: powers[i] ?? 0,
          tombstoned: out,
          jailed: out,
        });
      }),
    }),
  });
  const place = document.body.appendChild(document.createElement("div"));
  place.style.cssText = size;
  const root = createRoot(place);
  root.render(
    <PageProvider value={page}>
      <Ring />
    </PageProvider>,
  );
  const remove = (): void => {
    root.unmount();
    place.remove();
  };
  return { place, remove };
}

test("what a validator at the top is stands above its slice", async () => {
  const { place, remove } = show("width: 400px; height: 400px", [0, 100], 0);
  const label = () =>
    [...place.querySelectorAll("tspan")].find((t) => t.textContent === "tombstoned");
  await expect.poll(label).toBeTruthy();
  const slice = label()?.closest("a")?.querySelector("path")?.getBoundingClientRect();
  // The box of a text line is higher than its letters.
  expect((label()?.getBoundingClientRect().bottom ?? 0) - 5).toBeLessThanOrEqual(slice?.top ?? 0);
  remove();
});

test("what a validator beside the ring is does not run into its slice", async () => {
  const { place, remove } = show("width: 400px; height: 400px", [100, 100, 100, 100], 0);
  const label = () =>
    [...place.querySelectorAll("tspan")].find((t) => t.textContent === "tombstoned");
  await expect.poll(label).toBeTruthy();
  const middle = place.querySelector("svg g > circle")?.getBoundingClientRect() as DOMRect;
  const text = label()?.getBoundingClientRect() as DOMRect;
  const { left, bottom } = text;
  const across = left - (middle.x + middle.width / 2);
  // The box of a text line is higher than its letters.
  const down = bottom - 4 - (middle.y + middle.height / 2);
  // The gauge's circle has a radius of 80 where the slices end at 124.
  expect(Math.hypot(across, down)).toBeGreaterThanOrEqual((middle.width / 160) * 124);
  remove();
});

test.each([
  ["top", [0, 100, 100], 0],
  ["bottom", [100, 100, 100], 1],
] as const)("a name at the %s, with its state, is within the picture", async (_, powers, which) => {
  const { place, remove } = show("width: 356px; height: 280px", powers, which);
  await expect.poll(() => place.textContent).toContain("tombstoned");
  const picture = place.querySelector("svg")?.getBoundingClientRect() as DOMRect;
  for (const text of place.querySelectorAll("svg text")) {
    const { top, bottom } = text.getBoundingClientRect();
    expect(top).toBeGreaterThanOrEqual(picture.top);
    expect(bottom).toBeLessThanOrEqual(picture.bottom);
  }
  remove();
});

test("of a hundred the one that is pointed at is named and linked to, and few elements are drawn", async () => {
  const { place, remove } = show("width: 400px; height: 400px", Array(100).fill(1), 30);
  const link = () => place.querySelector("svg a") as Element;
  await expect.poll(link).toBeTruthy();
  expect(place.querySelectorAll("svg *").length).toBeLessThan(20);
  const { left, top, width, height } = (
    place.querySelector("svg") as Element
  ).getBoundingClientRect();
  const at = (share: number) => {
    const angle = share * 2 * Math.PI;
    const radius = (Math.min(width, height) * 112) / 268;
    return {
      bubbles: true,
      clientX: left + width / 2 + Math.sin(angle) * radius,
      clientY: top + height / 2 - Math.cos(angle) * radius,
    };
  };
  link().dispatchEvent(new PointerEvent("pointermove", at(0.105)));
  await expect.poll(() => link().getAttribute("href")).toBe("#/network/node/val-10");
  expect(link().querySelector("title")?.textContent).toContain("val-10");
  link().dispatchEvent(new PointerEvent("pointerout", at(0.105)));
  await expect.poll(() => link().getAttribute("href")).toBe(null);
  remove();
});
