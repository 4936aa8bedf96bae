import { expect, test } from "./helpers.ts";

const PROPOSALS = [
  "run: 3",
  "propose: { from: val-0, title: In a hurry, metadata: text, messages: [], expedited: true }",
  "vote: { proposal: 1, option: no, by: [val-0, val-1, val-2] }",
  "propose: { from: val-1, title: Taken back, metadata: text, messages: [] }",
  "propose: { from: val-2, title: Not wanted, metadata: text, messages: [] }",
  "vote: { proposal: 3, option: no_with_veto, by: [val-0, val-1] }",
  "propose: { from: val-3, title: Not paid for, metadata: text, messages: [], deposit: 1000000stake }",
  `tx: { from: val-1, msgs: [{ "@type": /chain.gov.v1.MsgCancelProposal, proposal_id: "2", proposer: "\${val-1}" }] }`,
  "run: 5",
] as const;

test("proposals lie on one axis of time, and each says who voted what, why it failed and what comes next", async ({
  lab,
  page,
}) => {
  await lab.open("#/governance");
  await lab.runScenario(...PROPOSALS);
  const axis = page.getByRole("region", { name: "Proposals in the course of time" });
  await expect(axis.getByRole("status")).toHaveText(/^Next: voting on 1 ends in block \d+\.$/);
  await expect(axis.getByRole("listitem").filter({ hasText: "Taken back" })).toContainText(
    "withdrawn in block",
  );
  await expect(axis.getByRole("listitem").filter({ hasText: "Not paid for" })).toContainText(
    "deposit period until block 34,5",
  );

  await lab.fullSpeed();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const hurried = page.getByRole("article", { name: "Proposal 1" });
  await expect(hurried).toContainText("Rejected in block");
  await lab.pause();
  await expect(hurried).toContainText("it failed as an expedited proposal. Too few yes votes: 0 %");
  await expect(hurried).toContainText("Turnout is 0 % of bonded stake, the quorum is 33.4 %.");
  const unwanted = page.getByRole("article", { name: "Proposal 3" });
  await expect(unwanted).toContainText("It is vetoed: 100 % of the votes are no with veto");
  await expect(unwanted).toContainText("Its deposit of 10,000,000 stake is burned.");

  await hurried.getByText("Votes on it as an expedited proposal").click();
  await expect(hurried.getByRole("row", { name: "val-2 no 100,000,000 0" })).toBeVisible();
  await hurried.getByRole("row", { name: "val-0 no" }).getByRole("link").click();
  await expect(lab.inspector).toContainText("val-0");

  await axis.getByRole("link", { name: "3. Not wanted" }).focus();
  await page.keyboard.press("Enter");
  await expect(lab.inspector.getByRole("heading", { name: "Proposal 3" })).toBeVisible();
  await axis.getByRole("button", { name: "As a table" }).click();
  await expect(axis.getByRole("row", { name: "3. Not wanted val-2" })).toContainText(
    "It is vetoed",
  );
  // A deposit is nothing that slashing has burned.
  await lab.view("Charts");
  await expect(page.getByRole("region", { name: "Stake burned by slashing" })).toContainText(
    "Slashing has burned nothing on this chain.",
  );
  await page.keyboard.press("Escape");
  await expect(lab.inspector).toContainText(/slashed\s*0 stake/);
});
