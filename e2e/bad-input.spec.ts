import { expect, test } from "./helpers.ts";

test("a form and an address refuse what cannot be, and no key is taken from one who types", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  const before = await lab.height();

  await test.step("a form refuses a bad value beside its field, in the engine's words", async () => {
    await page.keyboard.press("d");
    const form = lab.dialog("Make a validator double sign");
    await form.getByLabel("Evidence is submitted to the app").check();
    for (const value of ["999999", "abc", "-1", ""]) {
      const field = form.getByLabel("Height of the infraction");
      await field.fill(value);
      await form.getByRole("button", { name: "Submit the evidence" }).click();
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await expect(field).toHaveAccessibleDescription(/\S/);
    }
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
    expect(await lab.height()).toBe(before);
  });

  await test.step("keys do nothing while someone types", async () => {
    await page.keyboard.press("u");
    const form = lab.dialog("Propose an upgrade");
    await form.getByText("Info of the plan").click();
    const info = form.getByLabel("Info", { exact: true });
    await info.focus();
    await page.keyboard.type("d u s ?");
    await page.keyboard.press("ArrowRight");
    await expect(info).toHaveValue("d u s ?");
    expect(await lab.height()).toBe(before);
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
  });

  await test.step("an address that can mean no block and no proposal is refused in words", async () => {
    await page.goto("#/governance/proposal/abc");
    await expect(lab.inspector).toContainText("asks for “abc”, which is no number of a proposal");
    await page.goto("#/network/block/99999999999999999999");
    await expect(lab.inspector).toContainText(
      "asks for “99999999999999999999”, which is no height",
    );
  });
});

const BAD = [
  { what: "broken YAML", text: "scenario: 1\nname: [", says: /line \d/ },
  {
    what: "an unknown key",
    text: "scenario: 1\nname: x\nwings: 2\nsteps: []",
    says: /line 3.*wings/s,
  },
  {
    what: "an absurd number",
    text: "scenario: 1\nname: x\ngenesis:\n  validators: 1000000000\nsteps: []",
    says: /line 4.*validators/s,
  },
  {
    what: "a negative stake",
    text: "scenario: 1\nname: x\ngenesis:\n  validators:\n    - { name: a, stake: -5 }\nsteps: []",
    says: /line 5.*stake/s,
  },
  {
    what: "a dangling name",
    text: "scenario: 1\nname: x\ngenesis: { validators: 4 }\nsteps:\n  - double_sign: { node: val-9 }",
    says: /line 5.*val-9/s,
  },
];

test("a scenario that is wrong is refused with its place, and nothing runs", async ({
  lab,
  page,
}) => {
  await lab.open();
  for (const { what, text, says } of BAD) {
    await test.step(what, async () => {
      await page.keyboard.press("s");
      const stories = lab.dialog("Stories");
      await stories.getByText(/^Run a scenario .*of your own/).click();
      await stories.getByLabel("…or its text").fill(text);
      await stories.getByRole("button", { name: "Check and run" }).click();
      await expect(stories).toContainText("Nothing has run");
      await expect(stories).toContainText(says);
      await page.keyboard.press("Escape");
      await expect(stories).toBeHidden();
      await expect(page.getByRole("region", { name: "Story" })).toContainText("Begin with a story");
    });
  }
});
