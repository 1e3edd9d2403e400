import { VersionedMap } from '#kernel/versioned-map.ts';
import { decideByType, type Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { afterFailure, ABANDONED, type Mail, SENT, type StoredMail } from './mail.ts';
import * as sql from './sql.ts';

type OutboxCommand =
  | { readonly type: 'queue'; readonly id: string; readonly mail: Mail; readonly isKept: boolean }
  | { readonly type: 'attempted'; readonly id: string; readonly outcome: 'sent' | 'failed' | 'dropped' }
  /** Everything to one receiver. */
  | { readonly type: 'forget'; readonly to: string };

interface State {
  readonly mails: VersionedMap<string, StoredMail>;
}

function reads(commands: readonly OutboxCommand[]) {
  return {
    attempted: listed(
      sql.MAILS_OF_IDS,
      commands.flatMap((one) => (one.type === 'attempted' ? one.id : [])),
    ),
    forgotten: listed(
      sql.MAILS_OF_RECEIVERS,
      commands.flatMap((one) => (one.type === 'forget' ? one.to : [])),
    ),
  };
}

/** Gives how many mails it changed. */
export const outboxUnit: Unit<[OutboxCommand, number], State, typeof reads> = {
  name: 'mail_outbox',
  reads,
  load: ({ attempted, forgotten }) => ({ mails: VersionedMap.by([...attempted, ...forgotten], ({ id }) => id) }),
  decide: decideByType<[OutboxCommand, number], State>({
    queue: ({ mails }, nowMs, _next, command) => ({
      state: { mails: mails.with(command.id, queued(command, nowMs)) },
      result: 1,
    }),
    attempted: ({ mails }, nowMs, _next, { id, outcome }) => {
      const mail = mails.get(id);
      if (mail?.state !== 'queued') return { state: { mails }, result: 0 };
      const after = {
        sent: { ...mail, ...SENT },
        failed: afterFailure(mail, nowMs),
        dropped: { ...mail, ...ABANDONED },
      };
      return { state: { mails: mails.with(id, after[outcome]) }, result: 1 };
    },
    forget: ({ mails }, _nowMs, _next, { to }) => {
      const meant = mails.values().filter((mail) => mail.to === to);
      return { state: { mails: meant.reduce((left, { id }) => left.without(id), mails) }, result: meant.length };
    },
  }),
  writes: (before, after) => sql.MAIL.diff(before.mails, after.mails),
};

function queued({ id, mail, isKept }: Extract<OutboxCommand, { type: 'queue' }>, nowMs: number): StoredMail {
  const { to, subject, body, dropAtMs = null } = mail;
  const state = isKept ? 'kept' : 'queued';
  return { id, to, subject, body, state, tries: 0, nextAtMs: isKept ? null : nowMs, dropAtMs, createdAtMs: nowMs };
}
