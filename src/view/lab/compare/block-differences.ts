/** Describes the differences between two blocks of one height: A is the first, B the second. */
import { type BlockContent, type ContentTx, eventText, without } from "./block-content.ts";

/**
 * Describes differences other than hashes and times, causes before effects; empty if there are
 * none.
 */
export function blockDifferences(a: BlockContent, b: BlockContent): readonly string[] {
  return [
    ...listed("carries evidence", a.evidence, b.evidence),
    ...transactions(a.txs, b.txs),
    ...(a.proposer === b.proposer ? [] : [`${a.proposer} proposed it in A, ${b.proposer} in B.`]),
    ...(a.round === b.round ? [] : [`Round ${a.round} decided it in A, round ${b.round} in B.`]),
    ...(a.binary === b.binary ? [] : [`Binary ${a.binary} ran it in A, ${b.binary} in B.`]),
    ...absences(a.absent, b.absent),
    ...events(a, b),
  ];
}

/** True if two blocks differ in more than hashes and times. */
export const differ = (a: BlockContent, b: BlockContent): boolean =>
  contentKey(a) !== contentKey(b);

const contentKey = ({ height: _, hash: _h, appHash: _a, time: _t, ...content }: BlockContent) =>
  JSON.stringify(content);

function listed(verb: string, a: readonly string[], b: readonly string[]): string[] {
  const [onlyA, onlyB] = [without(a, b), without(b, a)];
  if (onlyA.length === 0 && onlyB.length === 0) return [];
  return [`${sideText("A", verb, onlyA)}, ${sideText("B", verb, onlyB)}.`];
}

const sideText = (side: string, verb: string, only: readonly string[]): string =>
  only.length === 0
    ? `${side} ${verb.replace(" ", " no such ")}`
    : `${side} ${verb}: ${some(only)}`;

function transactions(a: readonly ContentTx[], b: readonly ContentTx[]): string[] {
  const key = ({ hash }: ContentTx): string => hash;
  const onlyA = without(a.map(key), b.map(key));
  const onlyB = without(b.map(key), a.map(key));
  const texts = (txs: readonly ContentTx[], hashes: readonly string[]): string =>
    hashes.length === 0
      ? "none"
      : some(
          txs
            .filter(({ hash }) => hashes.includes(hash))
            .map(({ messages, signer }) => `${messages.join(" and ")} of ${signer}`),
        );
  if (onlyA.length > 0 || onlyB.length > 0) {
    return [`Transactions that the other lacks: ${texts(a, onlyA)} in A, ${texts(b, onlyB)} in B.`];
  }
  return a.flatMap((tx) => {
    const other = b.find(({ hash }) => hash === tx.hash);
    if (other === undefined || other.outcome === tx.outcome) return [];
    return [
      `${tx.messages.join(" and ")} of ${tx.signer} ended differently: ${tx.outcome} in A, ${other.outcome} in B.`,
    ];
  });
}

function absences(a: readonly string[], b: readonly string[]): string[] {
  const [onlyA, onlyB] = [without(a, b), without(b, a)];
  return [
    ...(onlyA.length > 0 ? [`Only A lacks the precommit of ${some(onlyA)}.`] : []),
    ...(onlyB.length > 0 ? [`Only B lacks the precommit of ${some(onlyB)}.`] : []),
  ];
}

function events(a: BlockContent, b: BlockContent): string[] {
  const [textsA, textsB] = [a.events.map(eventText), b.events.map(eventText)];
  const typesOf = (texts: readonly string[]): string =>
    texts.length === 0
      ? "none"
      : some([...new Set(texts.map((text) => text.split("\n")[0] as string))]);
  const [onlyA, onlyB] = [without(textsA, textsB), without(textsB, textsA)];
  if (onlyA.length === 0 && onlyB.length === 0) {
    return textsA.join() === textsB.join() ? [] : ["The same events came in another order."];
  }
  return [`Events that the other lacks: ${typesOf(onlyA)} in A, ${typesOf(onlyB)} in B.`];
}

const SHOWN = 3;

const some = (list: readonly string[]): string =>
  list.length > SHOWN
    ? `${list.slice(0, SHOWN).join(", ")} and ${list.length - SHOWN} more`
    : list.join(", ");
