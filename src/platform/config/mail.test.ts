import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { faultsOf, PRODUCTION } from './_settings.ts';
import { readConfig } from './config.ts';

const SMTP = {
  ...PRODUCTION,
  AVOUCH_MAIL: 'smtp',
  AVOUCH_SMTP_URL: 'smtps://user:secret@mail.example:465',
  AVOUCH_MAIL_FROM: 'Avouch <no-reply@avouch.example>',
};

suite('mail', () => {
  test('is kept in the sandbox and stated in production', () => {
    assert.deepEqual(readConfig({}).mail, { by: 'outbox', logsLoginLinks: false });
    assert.deepEqual(readConfig(PRODUCTION).mail, { by: 'off' });
    const { mail } = readConfig(SMTP);
    assert.equal(mail.by === 'smtp' && mail.from, SMTP.AVOUCH_MAIL_FROM);
    assert.doesNotMatch(JSON.stringify(readConfig(SMTP)), /secret@/);
  });

  for (const [why, env, fault] of [
    ['no choice', { ...PRODUCTION, AVOUCH_MAIL: undefined }, /^AVOUCH_MAIL is required in production: set it$/],
    ['the outbox in production', { ...PRODUCTION, AVOUCH_MAIL: 'outbox' }, /^AVOUCH_MAIL must be one of smtp, off$/],
    ['no server', { ...SMTP, AVOUCH_SMTP_URL: undefined }, /^AVOUCH_SMTP_URL is required in production: set it$/],
    ['no sender', { ...SMTP, AVOUCH_MAIL_FROM: '' }, /^AVOUCH_MAIL_FROM is required in production: set it$/],
    ['neither', { ...SMTP, AVOUCH_SMTP_URL: '', AVOUCH_MAIL_FROM: '' }, /^AVOUCH_SMTP_URL, AVOUCH_MAIL_FROM are req/],
    ['neither in the sandbox', { AVOUCH_MAIL: 'smtp' }, /^AVOUCH_SMTP_URL, AVOUCH_MAIL_FROM: required while/],
    ['another scheme', { ...SMTP, AVOUCH_SMTP_URL: 'https://secret@mail.example' }, /must look like smtps:\/\/user/],
    ['a path', { ...SMTP, AVOUCH_SMTP_URL: 'smtp://mail.example/secret@' }, /must look like smtps:\/\/user/],
    ['no address', { ...SMTP, AVOUCH_MAIL_FROM: 'me' }, /^AVOUCH_MAIL_FROM must be an email address/],
    ['a second line', { ...SMTP, AVOUCH_MAIL_FROM: 'a@b.example\nBcc: c@d.example' }, /must be an email address/],
    ['links in the log', { ...PRODUCTION, AVOUCH_LOG_LOGIN_LINKS: 'yes' }, /^AVOUCH_LOG_LOGIN_LINKS must be unset in/],
    ['another word', { AVOUCH_LOG_LOGIN_LINKS: 'true' }, /^AVOUCH_LOG_LOGIN_LINKS must be yes or no$/],
  ] as const) {
    test(`is refused with ${why}`, () => {
      const [found = '', ...others] = faultsOf(env);
      assert.match(found, fault);
      assert.deepEqual(others, []);
      assert.doesNotMatch(found, /secret@/);
    });
  }
});
