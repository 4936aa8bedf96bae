import { type Validator, ValidatorList } from "../../consensus/validator-list.ts";
import type { StorableClass } from "./value-tags.ts";

/** Consecutive validators of an earlier list: index of the first, and their number. */
type Stretch = readonly [first: number, length: number];
type Parts = readonly [before: ValidatorList | undefined, items: readonly (Stretch | Validator)[]];

/**
 * Serializes each validator list as stretches of the previous list plus the validators that are new
 * or changed power: where stake moves, a world has as many lists as blocks, and most differ by one
 * validator.
 */
export function storableValidatorLists(): StorableClass<ValidatorList, Parts> {
  let before: ValidatorList | undefined;
  return {
    type: ValidatorList,
    parts: (list) => {
      const items = itemsAfter(before, list);
      const parts = [before, items] as const;
      before = list;
      return parts;
    },
    make: ([earlier, items]) =>
      new ValidatorList(items.flatMap((item) => membersOf(item, earlier))),
  };
}

function itemsAfter(before: ValidatorList | undefined, list: ValidatorList): Parts[1] {
  const items: ([number, number] | Validator)[] = [];
  const stays = (i: number, at: number): boolean =>
    before?.addresses[at] === list.addresses[i] &&
    before?.pubKeys[at] === list.pubKeys[i] &&
    before?.powers[at] === list.powers[i];
  let stretch: [number, number] | undefined;
  for (const [i, address] of list.addresses.entries()) {
    if (stretch !== undefined && stays(i, stretch[0] + stretch[1])) {
      stretch[1] += 1;
      continue;
    }
    const at = before?.addresses.indexOf(address) ?? -1;
    stretch = at >= 0 && stays(i, at) ? [at, 1] : undefined;
    items.push(stretch ?? list.at(i));
  }
  return items;
}

function membersOf(item: Stretch | Validator, before: ValidatorList | undefined): Validator[] {
  if ("address" in item) return [item];
  const [first, length] = item;
  const members: Validator[] = [];
  for (let at = first; at < first + length; at++) members.push((before as ValidatorList).at(at));
  return members;
}
