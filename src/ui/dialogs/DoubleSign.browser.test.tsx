import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import { type Client, ClientError, CODE } from "../../client/client.ts";
import { createPage, type Page, PageProvider } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import DoubleSign from "./DoubleSign.tsx";

let root: Root;
let page: Page;
let previewed: string[];
let sentence: string;
let refusal: string;
let shut: string;

const TRUTH = { sentence: "", time: "2026-01-01T00:00:05Z", power: "100", path: "", message: "" };

beforeEach(() => {
  previewed = [];
  sentence = "";
  refusal = "";
  shut = "";
  const preview = async ({ step }: { step: string }) => {
    previewed.push(step);
    if (shut !== "") throw new ClientError(CODE.failedPrecondition, shut);
    return { ...TRUTH, sentence, message: refusal };
  };
  page = createPage({ lab: { preview, control: async () => ({}) } } as unknown as Client);
  page.frames.setState({
    frame: frameOf({ validators: [{ name: "val-0", power: 100 }], nodes: [{ name: "val-0" }] }),
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <DoubleSign />
    </PageProvider>,
  );
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const nextFrame = (): void =>
  page.frames.setState(({ frame }) => ({ frame: frame && { ...frame, revision: 1 } }));

test("a field that is emptied stays empty, and the true value shows as its placeholder", async () => {
  await screen.getByLabelText("Evidence is submitted to the app").click();
  const power = screen.getByLabelText("Power it had");
  await expect.element(power).toHaveAttribute("placeholder", "100");
  await power.fill("7");
  await expect.poll(() => previewed.at(-1)).toContain('"power":7');
  await power.fill("");
  await expect.element(power).toHaveValue("");
  await expect.poll(() => previewed.at(-1)).not.toContain('"power"');
  await expect.element(screen.getByLabelText("Time of that block (UTC)")).toHaveValue("");
});

test("unless another way is chosen the validator itself signs twice", async () => {
  await expect.element(screen.getByLabelText("It signs two conflicting votes")).toBeChecked();
  await expect.poll(() => previewed.at(-1)).toContain('"double_sign"');
});

test("on a paused chain it says that it makes no block", async () => {
  await expect.element(screen.getByTestId("paused")).toHaveTextContent("makes none");
});

test("a refusal on sending follows the chain, and goes when it is not so any more", async () => {
  const alert = screen.getByRole("alert");
  await expect.poll(() => previewed.length).toBeGreaterThan(0);
  refusal = "the chain is at 101";
  await screen.getByRole("button", { name: "Double sign" }).click();
  await expect.element(alert).toHaveTextContent("the chain is at 101");
  refusal = "the chain is at 105";
  nextFrame();
  await expect.element(alert).toHaveTextContent("the chain is at 105");
  refusal = "";
  nextFrame();
  await expect.element(alert).not.toBeInTheDocument();
});

test("a preview that the chain changes is announced again, once, and not with each number that a block moves", async () => {
  const live = () => document.querySelector("p[aria-live=polite]")?.textContent;
  await expect.poll(() => previewed.length).toBeGreaterThan(0);
  const shows = async (next: string): Promise<void> => {
    sentence = next;
    nextFrame();
    await expect.element(screen.getByTestId("preview")).toHaveTextContent(next);
  };
  await shows("Signs twice at height 7.");
  await expect.poll(live).toBe("Signs twice at height 7.");
  await shows("Signs twice at height 8.");
  await expect.poll(live).toBe("");
  await shows("val-0 is jailed: it signs nothing.");
  await expect.poll(live).toBe("val-0 is jailed: it signs nothing.");
});

test("what was right turns outdated with the chain, and not with a world that takes no step", async () => {
  const alert = screen.getByRole("alert");
  const send = () => screen.getByRole("button", { name: "Double sign" }).click();
  await expect.poll(() => previewed.length).toBeGreaterThan(0);
  await expect.element(screen.getByTestId("preview")).not.toBeInTheDocument();
  shut = "Another tab plays this world.";
  await send();
  await expect.element(alert).toHaveTextContent(/^Another tab plays this world\.$/);
  shut = "";
  refusal = "the chain is at 101";
  await send();
  await expect.element(alert).toHaveTextContent("The chain has moved on: the chain is at 101");
});
