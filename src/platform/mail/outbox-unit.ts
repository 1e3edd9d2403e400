import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Unit } from '#platform/storage/store.ts';
import { afterFailure, ABANDONED, type Mail, mailOf, SENT, type StoredMail } from './mail.ts';
import * as sql from './sql.ts';

type OutboxCommand =
  | { readonly type: 'queue'; readonly id: string; readonly mail: Mail; readonly isKept: boolean }
  | { readonly type: 'attempted'; readonly id: string; readonly outcome: 'sent' | 'failed' | 'dropped' }
  /** Everything to one receiver. */
  | { readonly type: 'forget'; readonly to: string }
  | { readonly type: 'sweep'; readonly beforeMs: number };

interface State {
  readonly mails: VersionedMap<string, StoredMail>;
}

/** Gives how many mails it changed. */
export const outboxUnit: Unit<[OutboxCommand, number], State> = {
  name: 'mail_outbox',
  reads(commands) {
    const sweep = commands.find((one) => one.type === 'sweep');
    return [
      { sql: sql.MAILS_OF_IDS, list: commands.flatMap((one) => (one.type === 'attempted' ? one.id : [])) },
      { sql: sql.MAILS_OF_RECEIVERS, list: commands.flatMap((one) => (one.type === 'forget' ? one.to : [])) },
      { sql: sql.MAILS_BEFORE, ...(sweep === undefined ? { list: [] } : { params: [sweep.beforeMs] }) },
    ];
  },
  load: (rows) => ({ mails: VersionedMap.of(rows.flat().map((row) => [row['id'] as string, mailOf(row)] as const)) }),
  decide({ mails }, nowMs, _next, command) {
    switch (command.type) {
      case 'queue':
        return { state: { mails: mails.with(command.id, queued(command, nowMs)) }, result: 1 };
      case 'attempted': {
        const mail = mails.get(command.id);
        if (mail?.state !== 'queued') return { state: { mails }, result: 0 };
        const after = {
          sent: { ...mail, ...SENT },
          failed: afterFailure(mail, nowMs),
          dropped: { ...mail, ...ABANDONED },
        };
        return { state: { mails: mails.with(mail.id, after[command.outcome]) }, result: 1 };
      }
      case 'forget':
      case 'sweep': {
        const isMeant = (mail: StoredMail) =>
          command.type === 'forget' ? mail.to === command.to : mail.createdAtMs < command.beforeMs;
        const over = mails.values().filter(isMeant);
        return { state: { mails: over.reduce((left, { id }) => left.without(id), mails) }, result: over.length };
      }
    }
  },
  writes(before, after) {
    const changed = [...after.mails.changesSince(before.mails).keys()];
    return [
      {
        sql: sql.MAIL_UPSERT,
        rows: changed
          .flatMap((id) => after.mails.get(id) ?? [])
          .map((one) => [
            ...[one.id, one.to, one.subject, one.body, one.state, one.tries],
            ...[one.nextAtMs, one.dropAtMs, one.createdAtMs],
          ]),
      },
      { sql: sql.MAIL_DELETE, rows: changed.filter((id) => after.mails.get(id) === undefined).map((id) => [id]) },
    ];
  },
};

function queued({ id, mail, isKept }: Extract<OutboxCommand, { type: 'queue' }>, nowMs: number): StoredMail {
  const { to, subject, body, dropAtMs = null } = mail;
  const state = isKept ? 'kept' : 'queued';
  return { id, to, subject, body, state, tries: 0, nextAtMs: isKept ? null : nowMs, dropAtMs, createdAtMs: nowMs };
}
