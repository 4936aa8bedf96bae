import { firstMinute } from "./first-minute.ts";
import { test } from "./helpers.ts";
import { Person } from "./person.ts";

test("the first minute's tasks are done with the keyboard alone, and the focus is always seen", async ({
  lab: _,
  page,
}) => {
  await page.goto("/");
  await firstMinute(
    new Person({
      press: (key) => page.keyboard.press(key),
      evaluate: (act, text) => page.evaluate(act, text),
    }),
  );
});
