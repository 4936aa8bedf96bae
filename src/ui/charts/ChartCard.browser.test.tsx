import "../styles/tokens.css";
import { create } from "@bufbuild/protobuf";
import { createRoot } from "react-dom/client";
import { Line } from "recharts";
import { expect, test, vi } from "vitest";
import type { Client } from "../../client/client.ts";
import { PastSchema } from "../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import type { Size } from "../widgets/use-size.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";

const POINTS = Array.from({ length: 40 }, (_, i) => ({ height: i + 1, amount: i }));

test("another height of the past moves the mark, and draws nothing else of the chart again", async () => {
  const page = createPage({} as Client);
  const goTo = (shown: number): void =>
    page.frames.setState({ frame: frameOf({ past: create(PastSchema, { shown }) }) });
  goTo(10);
  const label = vi.fn(String);
  const chart = vi.fn((size: Size) => (
    <HeightChart
      {...{ title: "Amounts", size, points: POINTS, tip: String }}
      axis={{ tickFormatter: label }}
    >
      <Line dataKey="amount" isAnimationActive={false} />
    </HeightChart>
  ));
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const show = (summary: string): void =>
    root.render(
      <PageProvider value={page}>
        <ChartCard {...{ title: "Amounts", summary, chart }} table={NO_TABLE} />
      </PageProvider>,
    );
  const mark = () =>
    [...place.querySelectorAll("text")].find((text) => text.textContent?.startsWith("block "));
  show("up to block 10");
  await expect.poll(() => mark()?.textContent).toBe("block 10");
  await expect.poll(() => place.querySelector(".recharts-line-curve")).toBeTruthy();
  const before = Number(mark()?.getAttribute("x"));
  expect(label).toHaveBeenCalled();
  label.mockClear();
  chart.mockClear();

  goTo(30);
  show("up to block 30");
  await expect.poll(() => mark()?.textContent).toBe("block 30");
  await expect.poll(() => place.textContent).toContain("up to block 30");
  expect(Number(mark()?.getAttribute("x"))).toBeGreaterThan(before);
  expect(chart).not.toHaveBeenCalled();
  expect(label).not.toHaveBeenCalled();

  goTo(90);
  await expect.poll(mark, { message: "a height that is not drawn has no mark" }).toBeUndefined();
  root.unmount();
  place.remove();
});

const NO_TABLE = { columns: [], rows: () => [], lastFirst: true };
