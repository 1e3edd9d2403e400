import { isoTime } from '#kernel/clock.ts';
import { everyFlag, lift } from '#platform/usage-rules/rule-flags.ts';
import { columns } from './line/columns.ts';
import type { Run } from './line/spec.ts';
import { joinLog, openStore } from './operator-store.ts';

const HEADER = ['ID', 'TIME', 'UNTIL', 'SUBJECT', 'RULE', 'SIGNAL', 'LIFTED'];

export const listFlags: Run = async (_given, output) => {
  await using opened = await openStore(output);
  const found = await everyFlag(opened.foundation.store);
  const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms));
  const flags = found.flags.map(({ id, subject, rule, signal, atMs, liftedAtMs }) => {
    return { id, at: isoTime(atMs), subject, rule, signal, lifted_at: timeOf(liftedAtMs) };
  });
  const suspensions = found.suspensions.map(({ id, subject, rule, atMs, untilMs, liftedAtMs }) => {
    return { id, at: isoTime(atMs), until: isoTime(untilMs), subject, rule, lifted_at: timeOf(liftedAtMs) };
  });
  const rows = [
    ...flags.map(({ id, at, subject, rule, signal, lifted_at }) => [
      id,
      at,
      '',
      subject,
      rule,
      signal,
      lifted_at ?? '',
    ]),
    ...suspensions.map(({ id, at, until, subject, rule, lifted_at }) => [
      id,
      at,
      until,
      subject,
      rule,
      '',
      lifted_at ?? '',
    ]),
  ];
  output.result({ flags, suspensions }, rows.length === 0 ? '' : columns(HEADER, rows));
  if (rows.length === 0) output.note('Nobody is flagged or suspended.');
  return 0;
};

export const liftFlag: Run = async ({ operands }, output) => {
  const [id] = operands as [string];
  await using opened = await openStore(output);
  const { foundation, isSandbox } = opened;
  await joinLog(foundation);
  const lifted = await lift(foundation.store, id, isSandbox);
  if (lifted === null) throw new Error(`No flag or suspension has the id ${id}. \`avouch rules flags\` shows them.`);
  const at = isoTime(lifted.liftedAtMs as number);
  output.result({ id, subject: lifted.subject, lifted_at: at }, `${id} of ${lifted.subject} was lifted at ${at}.\n`);
  return 0;
};
