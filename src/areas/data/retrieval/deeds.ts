import { stemOf } from './words.ts';

/** What can be done with a thing, in the words of questions: a text about another deed with it is no answer. */
const DEEDS = `
  create make issue new register enrol signup cancel abort cancelled revoke withdrawn rotate rotation roll
  delete erase remove wipe erasure deletion topup recharge refill refund reimburse withdraw payout refresh renew
  extend release restore backup migrate pause resume suspend rename transfer handover raise increase lower
  decrease invite verify seal close reopen install export download approve narrow void translate summarise sell
  attach return upload subscribe convert share merge
`;

const STEMS: ReadonlySet<string> = new Set(DEEDS.trim().split(/\s+/).map(stemOf));

/** Whether a word names a deed. */
export function isDeed(word: string): boolean {
  return STEMS.has(stemOf(word));
}
