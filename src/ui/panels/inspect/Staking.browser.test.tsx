import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { Staking } from "./Staking.tsx";

let root: Root;

/** Shows a jailed validator whose unjailing the engine refuses with a message. */
function show(jailedUntil: string, message: string): void {
  const preview = async () => ({ sentence: "", time: "", power: "", path: "", message });
  const query = async () => ({ val_signing_info: { jailed_until: jailedUntil } });
  const page = createPage({ lab: { preview }, query } as unknown as Client);
  const frame = frameOf({
    chain: { clock: "2026-01-01T00:10:00Z", genesisTime: "2026-01-01T00:00:00Z" },
    validators: [{ name: "val-0", jailed: true, consensusAddress: "a" }],
  });
  page.frames.setState({ frame });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      {frame.validators.map((validator) => (
        <Staking key={validator.name} validator={validator} />
      ))}
    </PageProvider>,
  );
}

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const button = () => screen.getByRole("button", { name: /^Unjail/ });

test("a validator that was offline cannot be unjailed before its time, which is said", async () => {
  show("2026-01-01T00:20:00Z", "validator still jailed; cannot be unjailed");
  await expect.element(button()).toHaveTextContent("Unjail from 00:20:00 on");
  await expect.element(button()).toBeDisabled();
  await expect.element(screen.getByText("jailed until")).toBeVisible();
});

test("one whose own delegation is too small was not jailed for an earlier absence", async () => {
  show("2026-01-01T00:00:01Z", "0 less than 1: validator's self delegation less than minimum");
  await expect.element(button()).toHaveTextContent("Unjail");
  await expect.element(button()).toBeDisabled();
  await expect.element(screen.getByText("jailed until")).not.toBeInTheDocument();
});

test("one that may come back is unjailed by a click", async () => {
  show("2026-01-01T00:00:01Z", "");
  await expect.element(button()).toHaveTextContent("Unjail");
  await expect.element(button()).toBeEnabled();
});
