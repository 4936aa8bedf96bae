import { create } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ChainStatusSchema, ValidatorSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { ValidatorTable } from "./ValidatorTable.tsx";

let root: Root;
let page: Page;

beforeEach(() => {
  page = createPage({ lab: {} } as unknown as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <ValidatorTable />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

function show(count: number): void {
  const validators = Array.from({ length: count }, (_, i) =>
    create(ValidatorSchema, {
      name: `val-${i}`,
      power: 100 + ((i * 7) % count),
      bond: "bonded",
      jailed: i === 5,
    }),
  );
  const chainStatus = create(ChainStatusSchema, { totalPower: 100 * count });
  page.frames.setState({ frame: frameOf({ validators, chainStatus }) });
}

const names = () => screen.getByRole("link").all();

test("few validators need no search", async () => {
  show(4);
  await expect.element(screen.getByRole("link", { name: "val-3" })).toBeVisible();
  expect(screen.getByRole("searchbox").all()).toHaveLength(0);
});

test("a row follows its node, also where only the consensus of an exited one changes", async () => {
  const show = (halted: boolean) =>
    page.frames.setState({
      frame: frameOf({
        validators: [{ name: "val-0", power: 100 }],
        nodes: [{ name: "val-0", validator: "val-0", process: "exited", halted }],
      }),
    });
  show(false);
  await expect.element(screen.getByText("exited", { exact: true })).toBeVisible();
  show(true);
  await expect.element(screen.getByText("halted, exited")).toBeVisible();
});

test("many are found by name and state, and put in order", async () => {
  show(40);
  const search = screen.getByRole("searchbox", { name: "Search validators" });
  await search.fill("val-1");
  await expect.element(screen.getByRole("status")).toHaveTextContent("11 of 40");
  await search.fill("jailed");
  await expect.element(screen.getByRole("status")).toHaveTextContent("1 of 40");
  expect(names()[0]?.element().textContent).toBe("val-5");
  await search.fill("");
  await screen.getByRole("combobox", { name: "Order" }).selectOptions("by power");
  await expect.poll(() => names()[0]?.element().textContent).toBe("val-17");
  await search.fill("nobody");
  await expect.element(screen.getByRole("status")).toHaveTextContent("0 of 40");
});
