import "../../styles/tokens.css";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen, userEvent } from "vitest/browser";
import { read } from "../../store/route.ts";
import { nextTheme, shownTheme } from "../../store/theme.ts";
import { tokenValue } from "../../widgets/token-value.ts";
import { useColors } from "../../widgets/use-colors.ts";
import { Display } from "./Display.tsx";

const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(21, 25, 32)";

let root: Root;
beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <>
      <Display />
      <Painted />
    </>,
  );
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  delete document.documentElement.dataset.theme;
  localStorage.clear();
  location.hash = "";
});

/** Colours as painted on a canvas. */
function Painted() {
  const color = useColors();
  return <output data-testid="surface">{color("surface")}</output>;
}

const choose = async (name: string): Promise<void> => {
  await screen.getByRole("button", { name: "Theme and presenter" }).click();
  await screen.getByRole("radio", { name }).click();
};

test.each([
  ["Light", "light", LIGHT],
  ["Dark", "dark", DARK],
  ["Projector", "projector", LIGHT],
])(
  "“%s” is chosen in two clicks: styles and canvases follow at once, and it is kept",
  async (name, theme, surface) => {
    await choose(name);
    await expect.element(screen.getByTestId("surface")).toHaveTextContent(surface);
    expect(shownTheme()).toBe(theme);
    expect(localStorage.getItem("chainlab theme")).toBe(theme);
    expect(getComputedStyle(document.documentElement).colorScheme).toBe(
      theme === "dark" ? "dark" : "light",
    );
  },
);

test("the themes are in line with their title and with their radios", async () => {
  await screen.getByRole("button", { name: "Theme and presenter" }).click();
  const title = screen.getByText("Theme", { exact: true }).element().getBoundingClientRect();
  for (const radio of screen.getByRole("radio").elements()) {
    const [box, line] = [radio, radio.parentElement].map((one) => one?.getBoundingClientRect());
    expect(box?.left).toBe(title.left);
    expect(middleOf(box)).toBeCloseTo(middleOf(line), 0);
  }
});

const middleOf = (box: DOMRect | undefined): number => (box ? box.y + box.height / 2 : Number.NaN);

test("without a choice the system decides, and nothing is kept", async () => {
  await choose("Dark");
  await screen.getByRole("radio", { name: "As the system" }).click();
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? DARK : LIGHT;
  await expect.element(screen.getByTestId("surface")).toHaveTextContent(system);
  expect(localStorage.getItem("chainlab theme")).toBe(null);
});

test("one theme follows another, and the last the first", () => {
  expect([nextTheme(), nextTheme(), nextTheme(), nextTheme()]).toEqual([
    "Theme: light.",
    "Theme: dark.",
    "Theme: projector.",
    "Theme: as the system.",
  ]);
});

test("a projector shows darker lines on white, and larger letters", () => {
  const [line, text] = [tokenValue("line"), tokenValue("text")];
  document.documentElement.dataset.theme = "projector";
  expect(tokenValue("bg")).toBe(LIGHT);
  expect(tokenValue("ink")).toBe("rgb(0, 0, 0)");
  expect(tokenValue("line")).not.toBe(line);
  expect(Number.parseFloat(tokenValue("text"))).toBeGreaterThan(Number.parseFloat(text));
});

test("the presenter is entered from the same menu, and Escape closes that menu alone", async () => {
  let heard = 0;
  const listen = (): void => {
    heard += 1;
  };
  addEventListener("keydown", listen);
  await screen.getByRole("button", { name: "Theme and presenter" }).click();
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("radio", { name: "Dark" })).not.toBeInTheDocument();
  expect(heard).toBe(0);
  removeEventListener("keydown", listen);
  await screen.getByRole("button", { name: "Theme and presenter" }).click();
  await screen.getByRole("button", { name: /^Present/ }).click();
  expect(read().presenting).toBe(true);
});
