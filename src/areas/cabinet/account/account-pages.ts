import type { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import {
  badge,
  button,
  card,
  code,
  dataTable,
  emptyState,
  hash,
  heading,
  notice,
  timeElement,
} from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { dashboardPage, hidden, postForm } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Of<S extends z.ZodType> = z.output<S>;
type KeyOwner = Of<typeof shapes.CabinetKeys>['agents'][number];

const markdownOf = (title: string) => (output: { readonly csrf: string }) => {
  const { csrf: _, ...rest } = output;
  return documentMarkdown(rest, title);
};

export const keysDocument = {
  markdown: markdownOf('Keys'),
  html(output: Of<typeof shapes.CabinetKeys>, site: Site): string {
    const { agents, new_key, ended_key, csrf } = output;
    const ended =
      ended_key === null
        ? NOTHING
        : notice('good', html`<p>Key ${hash(ended_key)} is revoked. Calls with it are refused from now on.</p>`);
    const shown =
      new_key === null
        ? NOTHING
        : notice(
            'good',
            html`<p><strong>Your new key.</strong> Copy it now. It is shown only once and cannot be recovered.</p>${code(new_key.agent_key, 'New key')}`,
          );
    const body = html`${heading('Keys', 'An agent can have two active keys. A key is shown once, when it is created.')}
${ended}${shown}${agents.length === 0 ? emptyState('No agents', 'Register an agent with this email address first.') : agents.map((agent) => keyCard(agent, csrf))}`;
    return dashboardPage(output, { title: 'Keys', path: '/dashboard/keys', body }, site);
  },
};

/** Asks before it does what cannot be undone; works without script. */
function confirmed(label: string, means: string, form: Html): Html {
  return html`<details><summary>${label}</summary><p class="hint">${means}</p>${form}</details>`;
}

function keyCard({ agent_id, untrusted_name, keys: list }: KeyOwner, csrf: string): Html {
  const form = (action: string, label: string, kind: 'plain' | 'danger', keyId?: string) =>
    postForm(
      '/dashboard/keys',
      csrf,
      html`${hidden('agent_id', agent_id)}${hidden('action', action)}${keyId === undefined ? NOTHING : hidden('key_id', keyId)}${button(label, { kind })}`,
    );
  const rows = list.map((key) => [
    hash(key.key_id),
    key.revoked_at === null ? badge('active', 'good') : badge('revoked', 'neutral'),
    key.scopes.join(', '),
    timeElement(key.created_at),
    key.last_used_at === null ? 'Never' : timeElement(key.last_used_at),
    key.revoked_at === null
      ? html`<div class="actions">${confirmed('Rotate', 'The key stops working immediately, and a new one is shown.', form('rotate', 'Rotate key', 'plain', key.key_id))}${confirmed('Revoke', 'Programs that use this key stop working immediately. This cannot be undone.', form('revoke', 'Revoke key', 'danger', key.key_id))}</div>`
      : timeElement(key.revoked_at),
  ]);
  return card({
    title: untrusted_name,
    aside: form('create', 'Create key', 'plain'),
    body: html`<p>${hash(agent_id)}</p>${dataTable({
      caption: `Keys: ${untrusted_name}`,
      hidesCaption: true,
      rows,
      empty: 'No keys yet.',
      columns: ['Key', 'State', 'Scopes', 'Created', 'Last used', 'Rotate or revoke'],
    })}`,
  });
}

export const sessionsDocument = {
  markdown: markdownOf('Sessions'),
  html(output: Of<typeof shapes.CabinetSessions>, site: Site): string {
    const { sessions: list, csrf } = output;
    const end = (id: string, label: string, kind: 'plain' | 'danger') =>
      postForm('/dashboard/sessions', csrf, html`${hidden('session_id', id)}${button(label, { kind })}`);
    const rows = list.map((one) => [
      html`<bdi>${one.untrusted_user_agent === '' ? 'Unknown browser' : one.untrusted_user_agent}</bdi>`,
      one.this_one ? badge('This browser', 'info') : NOTHING,
      timeElement(one.created_at),
      timeElement(one.last_used_at),
      timeElement(one.ends_at),
      end(one.session_id, 'Sign out', 'plain'),
    ]);
    const body = html`${heading(
      'Sessions',
      'Where you are signed in. A session ends after 12 hours without use, or after 7 days at the latest.',
      [end('all', 'Sign out everywhere', 'danger')],
    )}${dataTable({
      caption: 'Sessions',
      hidesCaption: true,
      rows,
      columns: ['Browser', 'Current', 'Signed in', 'Last used', 'Ends', 'Sign out'],
    })}`;
    return dashboardPage(output, { title: 'Sessions', path: '/dashboard/sessions', body }, site);
  },
};

export const accountDocument = {
  markdown: markdownOf('Account'),
  html(output: Of<typeof shapes.CabinetAccount>, site: Site): string {
    const { email, csrf, agents, total_available_eur, in_use, deletes, keeps } = output;
    const lists = (title: string, list: readonly string[]) =>
      html`<h3>${title}</h3><ul>${list.map((item) => html`<li>${item}</li>`)}</ul>`;
    const hasCredit = total_available_eur !== '0.00';
    const form = postForm(
      '/dashboard/account',
      csrf,
      html`${field({
        name: 'confirm',
        label: 'Type your email address to confirm',
        isRequired: true,
        schema: { type: 'string', format: 'email', description: email },
      })}${
        hasCredit
          ? html`<p class="check"><label><input type="checkbox" name="give_up_credit" value="yes"> I forfeit the remaining €${total_available_eur}</label></p>`
          : NOTHING
      }${button('Delete account permanently', { kind: 'danger' })}`,
      'stacked',
    );
    const blocked = notice(
      'warn',
      html`<p>You cannot delete the account yet:</p><ul>${in_use.map((item) => html`<li>${item}</li>`)}</ul>`,
    );
    const body = html`${heading('Account', agents === 1 ? '1 agent' : `${agents} agents`)}
${card({
  title: 'Export your data',
  body: html`<p>One JSON file with everything we store about this account. Keys and tokens are not in it, because we do not store them.</p>${button('Download export', { href: '/dashboard/export', kind: 'plain' })}`,
})}
${card({
  title: 'Delete your account',
  body: html`${lists('What is deleted', deletes)}${lists('What we keep, and why', keeps)}${in_use.length > 0 ? blocked : form}`,
})}`;
    return dashboardPage(output, { title: 'Account', path: '/dashboard/account', body }, site);
  },
};

export const deletedDocument = {
  markdown: (output: object) => documentMarkdown(output, 'Account deleted'),
  html({ agents, keeps }: Of<typeof shapes.CabinetDeleted>, site: Site): string {
    const lead = agents === 1 ? '1 agent was closed.' : `${agents} agents were closed.`;
    const body = html`${heading('Account deleted', `${lead} All keys are revoked.`)}${card({
      title: 'What we keep, and why',
      body: html`<ul>${keeps.map((item) => html`<li>${item}</li>`)}</ul>`,
    })}`;
    const view = { title: 'Account deleted', path: '/dashboard/account', isPrivate: true, hasForms: false } as const;
    return page({ ...view, section: 'dashboard', body }, site);
  },
};
