import { create } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import type { Client } from "../../../client/client.ts";
import { NodeSchema, ValidatorSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { Ring } from "./Ring.tsx";

test("what a validator at the top is stands above its slice", async () => {
  const page = createPage({} as Client);
  const names = ["val-0", "val-1"];
  page.frames.setState({
    frame: frameOf({
      nodes: names.map((name) => create(NodeSchema, { name, validator: name, process: "running" })),
      validators: names.map((name, i) =>
        create(ValidatorSchema, { name, power: i * 100, tombstoned: i === 0, jailed: i === 0 }),
      ),
    }),
  });
  const place = document.body.appendChild(document.createElement("div"));
  place.style.cssText = "width: 400px; height: 400px";
  const root = createRoot(place);
  root.render(
    <PageProvider value={page}>
      <Ring />
    </PageProvider>,
  );
  const label = () =>
    [...place.querySelectorAll("tspan")].find((t) => t.textContent === "tombstoned");
  await expect.poll(label).toBeTruthy();
  const slice = label()?.closest("a")?.querySelector("path")?.getBoundingClientRect();
  // The box of a line of text is higher than its letters.
  expect((label()?.getBoundingClientRect().bottom ?? 0) - 5).toBeLessThanOrEqual(slice?.top ?? 0);
  root.unmount();
  place.remove();
});
