import { DAY_MS } from '#kernel/clock.ts';
import { as, integer, nullable, table, text } from '#platform/storage/table.ts';
import type { StoredMail } from './mail.ts';

export const MAIL = table(
  'mail_outbox',
  {
    id: text(),
    to_email: as('to', text()),
    subject: text(),
    body: nullable(text()),
    state: text<StoredMail['state']>(),
    tries: integer(),
    next_at: as('nextAtMs', nullable(integer())),
    drop_at: as('dropAtMs', nullable(integer())),
    created_at: as('createdAtMs', integer()),
  },
  { key: ['id'], changes: ['body', 'state', 'tries', 'next_at'] },
);

export const MAILS_OF_IDS = MAIL.select('WHERE id IN (...)');
export const MAILS_OF_RECEIVERS = MAIL.select('WHERE to_email IN (...)');
export const MAIL_EXPIRY = MAIL.expiring({ by: ['created_at'], keptMs: 30 * DAY_MS });
export const MAILS_DUE = MAIL.select('WHERE next_at <= $1 ORDER BY next_at, id LIMIT 50');
export const NEWEST_MAILS = MAIL.select('ORDER BY created_at DESC, id DESC LIMIT $1');
