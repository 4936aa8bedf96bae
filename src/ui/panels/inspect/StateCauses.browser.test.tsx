import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ChainSchema, ValidatorSchema, ValidatorStatesSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import { StateCauses } from "./StateCauses.tsx";

let root: Root;

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

function show(
  states: NonNullable<MessageInitShape<typeof ValidatorStatesSchema>["states"]>,
  tombstoned = false,
  { power = 0, nextPower = 0 } = {},
) {
  const getValidatorStates = async () => create(ValidatorStatesSchema, { states });
  const page = createPage({ lab: { getValidatorStates } } as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: create(ChainSchema, { height: 27 }) }) });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <StateCauses
        validator={create(ValidatorSchema, {
          ...{ name: "val-2", jailed: true, tombstoned, power, nextPower },
        })}
      />
    </PageProvider>,
  );
}

const TOMBSTONED = {
  ...{ state: "tombstoned", cause: "duplicate vote", block: 7, height: 6, evidence: "AB" },
  burned: "5000000",
};
const UNBONDING = {
  ...{ state: "unbonding", cause: "jailed", block: 7, burned: "0" },
  ...{ until: "2026-01-22T00:00:30Z", untilHeight: 362_887 },
};

const JAILED = {
  ...{ state: "jailed", cause: "downtime", block: 27, missed: 6, window: 10, allowed: 5 },
  ...{ burned: "1000000", until: "2026-01-01T00:03:10Z", untilHeight: 39 },
};

const region = (state: string) => screen.getByRole("region", { name: `Why it is ${state}` });

test("a tombstone names the offence, the evidence and the block as links, and that it never ends", async () => {
  show([TOMBSTONED, UNBONDING], true);
  const tombstoned = region("tombstoned");
  await expect
    .element(tombstoned)
    .toHaveTextContent("it signed twice at block 6, the evidence in block 7");
  await expect.element(tombstoned).toHaveTextContent("5,000,000 burned");
  await expect.element(tombstoned).toHaveTextContent("never for this key; the operator");
  const links = tombstoned.getByRole("link").elements();
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    expect.stringMatching(/block\/6$/),
    "#/evidence/evidence/AB",
    expect.stringMatching(/block\/7$/),
  ]);
  await expect.element(region("unbonding")).toHaveTextContent("it was jailed: block 7");
  await expect
    .element(region("unbonding"))
    .toHaveTextContent("2026-01-22 00:00:30, about block 362,887");
});

test("a tombstoned key that votes in a validator created anew is not said to be out for ever", async () => {
  show([TOMBSTONED], true, { power: 200, nextPower: 200 });
  await expect
    .element(region("tombstoned"))
    .toHaveTextContent("a new validator was created with this key");
  await expect.element(region("tombstoned")).not.toHaveTextContent("never validates again");
});

test("a state that began in the newest block says that its validator is in one more set", async () => {
  show([TOMBSTONED], true, { power: 100 });
  await expect
    .element(region("tombstoned"))
    .toHaveTextContent(
      "it still votes on block 28: set changes take effect two blocks later; then this key never validates again",
    );
  root.unmount();
  show([JAILED], false, { power: 100 });
  await expect
    .element(region("jailed"))
    .toHaveTextContent("it still votes on block 28: set changes take effect two blocks later");
  root.unmount();
  show([JAILED]);
  await expect.element(region("jailed")).toHaveTextContent("meansit neither proposes nor votes");
});

test("a jail says how many blocks were missed, and from when on its operator may end it", async () => {
  show([JAILED]);
  const jailed = region("jailed");
  await expect
    .element(jailed)
    .toHaveTextContent("it missed 6 of the last 10 blocks; 5 may be missed: block 27");
  await expect
    .element(jailed)
    .toHaveTextContent("when its operator unjails it, from 2026-01-01 00:03:10, about block 39 on");
});

test("what is unbonding comes back only if its key is not tombstoned", async () => {
  show([TOMBSTONED, UNBONDING], true);
  await expect.element(region("unbonding")).toHaveTextContent(/about block 362,887$/);
  root.unmount();
  show([UNBONDING]);
  await expect.element(region("unbonding")).toHaveTextContent("unless it rejoins before");
});

test("a tombstoned validator whose unbonding is over is not said to come back", async () => {
  show([TOMBSTONED, { state: "unbonded", cause: "over", burned: "0", over: true }], true);
  await expect.element(region("unbonded")).toHaveTextContent("never: its key is tombstoned");
});
