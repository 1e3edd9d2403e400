import type { SettingsReading } from './registers.ts';
import { Secret } from './secret.ts';

/** How mail leaves: into the outbox page of the sandbox, by a mail server, or not at all. */
export type MailConfig =
  | { readonly by: 'off' }
  | { readonly by: 'outbox'; readonly logsLoginLinks: boolean }
  | { readonly by: 'smtp'; readonly url: Secret; readonly from: string };

const URL_NAME = 'AVOUCH_SMTP_URL';
const FROM = 'AVOUCH_MAIL_FROM';
const LINKS = 'AVOUCH_LOG_LOGIN_LINKS';
const ADDRESS = /^(?:[\w .-]{1,80} <)?[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+>?$/;

export function readMail(reading: SettingsReading): MailConfig {
  const { env, faults, text, isProduction } = reading;
  const url = reading.secret(URL_NAME);
  const from = text(FROM);
  const logs = text(LINKS);
  if (isProduction && env[LINKS] !== undefined) faults.push(`${LINKS} must be unset in production: links are secret`);
  else if (logs !== 'yes' && logs !== 'no') faults.push(`${LINKS} must be yes or no`);
  if (url !== undefined && !isServer(url)) faults.push(`${URL_NAME} must look like smtps://user:password@host:465`);
  if (from !== '' && !ADDRESS.test(from)) faults.push(`${FROM} must be an email address, or Name <address>`);
  if (isProduction && (env['AVOUCH_MAIL'] ?? '') === '') return { by: 'off' }; // that it is missing is said elsewhere
  const by = text('AVOUCH_MAIL');
  if (by === 'off') return { by };
  if (by === 'outbox' && !isProduction) return { by, logsLoginLinks: logs === 'yes' };
  if (by !== 'smtp') {
    faults.push(`AVOUCH_MAIL must be one of ${isProduction ? '' : 'outbox, '}smtp, off`);
    return { by: 'off' };
  }
  const missing = [url === undefined && URL_NAME, from === '' && FROM].filter(Boolean);
  // Of production it is said beside all that is missing.
  if (!isProduction && missing.length > 0) faults.push(`${missing.join(', ')}: required while AVOUCH_MAIL is smtp`);
  return { by, url: new Secret(url ?? ''), from };
}

function isServer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && ['', '/'].includes(url.pathname);
}
