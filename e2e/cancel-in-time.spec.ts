import { expect, test } from "./helpers.ts";

test("a cancellation that would come too late is said to, and an expedited one comes in time", async ({
  lab,
  page,
}) => {
  await lab.planUpgrade(24);
  const cancel = await lab.cancelDialog();
  await expect(cancel.getByRole("radio", { name: /^Cancel the plan/ })).toBeFocused();
  await expect(cancel.getByTestId("preview")).toHaveText(
    /^Too late: voting ends .* and comes first. An expedited vote would end at about block \d+, in time.$/,
  );
  await cancel.getByLabel("Expedited").check();
  await expect(cancel.getByTestId("preview")).toHaveText(
    /expedited voting takes 30 s.*More than 66.7 % must vote yes. Then v2, due at \d+, is cancelled.$/,
  );
  await cancel.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(page.getByRole("heading", { name: "No upgrade is planned" })).toBeVisible();
});
