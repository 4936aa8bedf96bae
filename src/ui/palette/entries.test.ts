import { expect, test } from "vitest";
import { KEY_TEXTS } from "../store/key-texts.ts";
import { frameOf } from "../testing.ts";
import { entriesOf, type PaletteContext } from "./entries.ts";
import { find, SHOWN } from "./find.ts";

const validator = (name: string) => ({ name, power: 10, bond: "bonded" });

const stateOf = (validators: readonly { name: string }[]): PaletteContext["state"] => ({
  frame: frameOf({
    chain: { height: 120, initialHeight: 1 },
    validators: validators.map(({ name }) => validator(name)),
    proposals: [{ id: 7, title: "Upgrade to v2", status: "voting" }],
    evidence: [{ hash: "AB12", validator: "val-3", height: 20 }],
  }),
  travel: undefined,
  blocks: [
    { height: 21, binary: 0, marks: 3 },
    { height: 22, binary: 0, marks: 0 },
  ] as unknown as PaletteContext["state"]["blocks"],
});

const known = (state: PaletteContext["state"]): PaletteContext => ({
  views: [
    { name: "network", title: "Network" },
    { name: "evidence", title: "Evidence" },
  ],
  themes: { dark: "Dark" },
  state,
  stories: [{ file: "late.yaml", title: "Too late to cancel", about: "", words: ["governance"] }],
  pictures: ["Validators", "Timeline", "Timeline"],
  worlds: [{ id: "w1", name: "otter", height: 5, open: "" } as PaletteContext["worlds"][number]],
});

const some = stateOf(["val-0", "val-1", "val-10"].map(validator));
const found = (typed: string) =>
  find(entriesOf(known(some)), some, typed).shown.map(({ group, title }) => `${group}: ${title}`);

test("everything is found by its name", () => {
  expect(found("network")[0]).toBe("Views: Network");
  expect(found("val-1")).toEqual(["Validators: val-1", "Validators: val-10"]);
  expect(found("too late")[0]).toBe("Stories: Too late to cancel");
  expect(found("otter")).toEqual(["Worlds: otter", "Worlds: Compare with otter"]);
  expect(found("theme dark")[0]).toBe("Settings: Theme: dark");
  expect(found("proposal 7")[0]).toBe("Proposals: Proposal 7: Upgrade to v2");
  expect(found("AB12")).toEqual(["Evidence: Evidence against val-3"]);
  expect(found("full speed")[0]).toBe("Settings: Speed: full speed");
  expect(found("terminal")[0]).toBe("Drawer: Terminal");
});

test("what is done in the scenario editor and with worlds is found by the words for it", () => {
  expect(found("record")[0]).toBe("Actions: Record what was done in this world, as a scenario");
  expect(found("editor")[0]).toBe("Actions: The scenario editor: steps as a list and as text");
  expect(found("tamper")).toEqual(["State: Change a byte of a value, and see what no longer fits"]);
  expect(found("change a byte")).toHaveLength(1);
  for (const word of ["rename", "note", "duplicate", "delete", "import"]) {
    expect(
      found(word).some((one) => one.startsWith("Worlds: ")),
      word,
    ).toBe(true);
  }
  expect(found("follow")[0]).toBe("Settings: Follow the story, or stay in this view");
  expect(found("continue")).toEqual([]);
  const open = known(some);
  const source = { ...open, views: [...open.views, { name: "scenario", title: "Scenario" }] };
  const inEditor = (typed: string) => find(entriesOf(source), some, typed).shown[0]?.title;
  expect(inEditor("continue")).toBe("Continue the scenario from where it stops");
  expect(inEditor("run the scenario")).toBe("Run the scenario in the editor");
  expect(inEditor("pin")).toBe("Assert a current value in the scenario");
  expect(inEditor("speed: 1")).toBe("Speed: 1 block/s");
});

test("what can be saved is found: the pictures on screen, each once, and files for other programs", () => {
  expect(found("timeline svg")).toEqual(["Files: Save the picture Timeline as SVG"]);
  expect(found("png")).toHaveLength(2);
  expect(found("genesis")[0]).toBe("Files: Save the state as a genesis file");
  expect(found("csv")).toEqual([
    "Files: Save blocks as CSV…",
    "Files: Save events as CSV…",
    "Files: Save the newest steps as CSV",
    "Files: Save the newest events as CSV",
    "Files: Save the newest lines of logs as CSV",
  ]);
  expect(found("perfetto")).toEqual(["Files: Save a trace of what nodes did…"]);
});

test("what begins with what was typed comes before what only has it", () => {
  expect(found("evidence")[0]).toBe("Views: Evidence");
  expect(found("double")[0]).toBe("Actions: Make a validator double-sign");
});

test("any block of the chain is found by its height, and none that there is not", () => {
  expect(found("block 57")).toContain("Blocks: Block 57");
  expect(found("57")).toContain("Blocks: Block 57");
  expect(found("121").filter((one) => one.startsWith("Blocks"))).toEqual([]);
  expect(found("slash").filter((one) => one.startsWith("Blocks"))).toEqual(["Blocks: Block 21"]);
});

test("in the past a block above the height that is shown is found too, to be gone on to", () => {
  const { frame, blocks } = some;
  const past = frameOf({ chain: { height: 21, initialHeight: 1 } });
  const live = { frame, blocks, activity: { step: [], event: [], log: [] }, samples: [] };
  const travel = { height: 21, moving: false, journey: {}, live: { ...live, split: undefined } };
  const state = { frame: past, blocks, travel };
  const titles = find(entriesOf(known(state)), state, "57").shown.map(({ title }) => title);
  expect(titles).toContain("Block 57");
});

test("nothing typed offers what can be done, with its keys, and the views", () => {
  const { shown } = find(entriesOf(known(some)), some, " ");
  expect(new Set(shown.map(({ group }) => group))).toEqual(new Set(["Actions", "Views"]));
  expect(shown.find(({ title }) => title === "Propose an upgrade")?.key).toBe("u");
});

test("every tab of the drawer has its key", () => {
  const tabs = entriesOf(known(some)).filter(({ group }) => group === "Drawer");
  expect(tabs.map(({ key }) => key)).toEqual([..."SELOAT"].map((key) => `Shift ${key}`));
});

test("every action has a key, and no two have the same", () => {
  const keys = entriesOf(known(some))
    .filter(({ group }) => group === "Actions")
    .map(({ key = "", title }) => key || `none: ${title}`);
  expect(keys.filter((key) => key.startsWith("none"))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  const does = new Set(KEY_TEXTS.map(({ key }) => key));
  expect(does.size).toBe(KEY_TEXTS.length);
});

test("of a thousand validators so many are shown as are read, and the others are counted", () => {
  const crowd = stateOf(Array.from({ length: 1000 }, (_, i) => validator(`val-${i}`)));
  const { shown, all } = find(entriesOf(known(crowd)), crowd, "val-");
  expect(shown).toHaveLength(SHOWN);
  // Including the evidence against one of them.
  expect(all).toBe(1001);
  expect(find(entriesOf(known(crowd)), crowd, "val-777").shown[0]?.title).toBe("val-777");
});
