import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { SentInput, Site } from '#kernel/operation.ts';
import type { Refusal } from '#kernel/problem.ts';
import { eur } from '#web/amounts.ts';
import { callSnippets, fetchOf } from '#web/call-code.ts';
import { button, card, code, codeTabs, errorSummary, heading, linkTo, notice, pill, steps } from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { lengthText } from '#web/times.ts';
import { quoted, visible } from '#web/untrusted.ts';
import { hidden } from '../frame.ts';
import { codeField, maskedEmail } from '../login/login-page.ts';

const START = '/start';
/** Followed by the id of an agent. */
export const STEP_FOUR = '/start?step=4&agent_id=';
const TITLE = 'Get started';
const STEPS = ['Name', 'Key', 'First call', 'Add money'] as const;
const LEAD = 'Register an agent, get its key, make a call. About two minutes.';
const NAME = { type: 'string', minLength: 2, maxLength: 80, examples: ['buyer-7'] } as const;
const EMAIL = {
  type: 'string',
  format: 'email',
  description: 'You sign in with it. No password.',
  examples: ['ops@example.org'],
} as const;

interface Tier {
  readonly tier: string;
  readonly price_eur: number;
}

interface StartView {
  readonly step: number;
  readonly email: string | null;
  readonly csrf: string | null;
  readonly agent: {
    readonly agent_id: string;
    readonly untrusted_name: string | null;
    readonly owner_verified: boolean;
    readonly available_eur: string | null;
  } | null;
  readonly tiers: readonly Tier[];
}

/** What the last step is made of. */
export interface MoneyStep {
  readonly agentId: string;
  readonly email: string;
  readonly tiers: readonly Tier[];
  readonly proof?: string | undefined;
  /** Of the session, where somebody is signed in. */
  readonly csrf?: string;
  /** The code of the email, which a sandbox shows. */
  readonly code?: string;
  /** Why no email was sent. */
  readonly unsent?: string;
  readonly refused?: 'wrong' | 'spent';
}

interface NameForm {
  readonly name?: string;
  readonly email?: string;
  readonly idempotencyKey?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly problem?: Html;
}

export function startHtml(view: StartView, site: Site, form: NameForm = {}): string {
  const { step, agent, email } = view;
  if (step === 4 && agent !== null) return stepFourHtml(view, agent, site);
  const given = { ...(email !== null && { email }), ...form };
  return framed(1, html`${nameCard(given, site)}`, site);
}

/** The form as it was sent, with what to fix or when to try again. */
export function startRefusedHtml(refusal: Refusal, sent: SentInput, site: Site): string | undefined {
  const { type, details } = refusal;
  const text = (name: string) => (typeof sent[name] === 'string' ? sent[name] : '');
  const values = { name: text('name'), email: text('owner_email'), idempotencyKey: text('idempotency_key') };
  if (details.errors !== undefined) {
    const errors = Object.fromEntries(details.errors.map(({ pointer, detail }) => [pointer.slice(2), detail]));
    return framed(1, nameCard({ ...values, errors }, site), site);
  }
  if (type.status !== 429 && type.status !== 403) return undefined;
  const again =
    details.retryAfterSeconds === undefined ? '' : ` Try again in ${lengthText(details.retryAfterSeconds * 1_000)}.`;
  const problem = notice('bad', `${details.detail}${again}`);
  return framed(1, nameCard({ ...values, problem }, site), site);
}

const REGISTER = { operationId: 'register_agent', method: 'post', path: '/api/agents/register' } as const;

function nameCard({ name = '', email = '', idempotencyKey = '', errors = {}, problem }: NameForm, site: Site): Html {
  const found = [
    { name: 'name', message: errors['name'] },
    { name: 'owner_email', message: errors['owner_email'] },
  ].flatMap(({ name: at, message }) => (message === undefined ? [] : [{ message, href: `#field-${at}` }]));
  const errorOf = (at: string) => (errors[at] === undefined ? {} : { error: errors[at] });
  const key = idempotencyKey === '' ? NOTHING : hidden('idempotency_key', idempotencyKey);
  return html`${problem ?? NOTHING}${errorSummary(found)}${card({
    title: 'What is your agent called?',
    body: html`<form method="post" action="${START}" class="stacked-form">${key}${field({ name: 'name', label: 'Agent name', schema: NAME, isRequired: true, value: name, ...errorOf('name') })}${field({ name: 'owner_email', label: 'Your email', schema: EMAIL, isRequired: true, value: email, ...errorOf('owner_email') })}${button('Register agent')}</form>`,
  })}<details class="start-api"><summary>Use the API instead</summary>${codeTabs('register', callSnippets(REGISTER, { name: 'buyer-7', owner_email: 'ops@example.org' }, site))}</details><p class="muted">Only want to look around? ${linkTo('/playground', 'Coordination needs no account')}.</p>`;
}

interface Registered {
  readonly agent_id: string;
  readonly name: string;
  readonly agent_key: string | null;
  readonly next: string;
}

/** The one answer that holds the key. */
export function registeredHtml({ agent_id, name, agent_key, next }: Registered, site: Site, email = ''): string {
  if (agent_key === null) {
    const body = html`${notice('warn', html`<p>${quoted(name)} is registered, and its key was shown once. We cannot show it again.</p>`)}
${card({
  title: 'Lost the key?',
  body: html`<p>Sign in and create a new key for this agent.</p><p class="actions">${button('Sign in', { href: '/dashboard/keys' })} ${button('Continue', { href: next, kind: 'plain' })}</p>`,
})}`;
    return framed(2, body, site);
  }
  const environment = `AVOUCH_URL=${site.baseUrl()}\nAGENT_KEY=${agent_key}\n`;
  const body = html`${card({
    title: 'Your key. Shown once.',
    aside: pill('active', { label: 'Agent registered' }),
    body: html`<div class="key-line"><code id="new-key" class="hash">${agent_key}</code><span class="key-actions"><button type="button" class="button button-plain" data-copy="new-key" data-scripted>Copy</button><button type="button" class="button button-plain" data-download=".env" data-text="${environment}" data-scripted>Download .env</button></span></div>
<p class="muted">Store it now, for example in a password manager. We keep only its hash, and this page cannot be opened again.</p>`,
  })}${card({
    title: 'First call',
    body: html`<p>Ask who you are. It is free.</p>${firstCall(site, agent_key)}
<form method="post" action="/start/call" class="actions">${hidden('agent_key', agent_key)}${hidden('owner_email', email)}${button('I stored the key. Run it for me')}<a class="button button-plain" href="${next}">I ran it myself</a></form>`,
  })}<p class="muted">Agent id <code class="hash">${agent_id}</code></p>`;
  return framed(2, body, site, ['start.js']);
}

function firstCall(site: Site, key: string): Html {
  const url = site.baseUrl();
  return codeTabs('first-call', {
    curl: `curl -s ${url}/api/agents/me \\\n  -H 'x-agent-key: ${key}'`,
    ts: fetchOf(`${url}/api/agents/me`, { headers: { 'x-agent-key': `'${key}'` } }),
    cli: `AGENT_KEY=${key} \\\n  ./avouch call get_agent --url ${url}`,
  });
}

/** After the first call: what it returned, and how money is added. */
export function calledHtml(
  { agent }: { readonly agent: Readonly<Record<string, unknown>> },
  site: Site,
  money?: MoneyStep,
): string {
  const shown = visible(JSON.stringify(agent, null, 2));
  const body = html`${card({
    title: 'First call',
    aside: pill('ok', { label: '200 OK' }),
    body: html`<p>Your key works. ${quoted(typeof agent['name'] === 'string' ? agent['name'] : null)} can call Avouch.</p><details><summary>Response of GET /api/agents/me</summary>${code(shown, 'Response')}</details>`,
  })}${money === undefined ? NOTHING : moneyCard(money, site)}`;
  return framed(4, body, site, ['cabinet-login.js']);
}

export function wrongCodeHtml(money: MoneyStep, site: Site): string {
  return framed(4, moneyCard(money, site), site, ['cabinet-login.js']);
}

function moneyCard(money: MoneyStep, site: Site): Html {
  const { agentId, email, tiers, proof, csrf, code: sentCode, unsent, refused } = money;
  const fields = html`${hidden('agent_id', agentId)}${hidden('email', email)}${proof === undefined ? NOTHING : hidden('proof', proof)}${
    csrf === undefined ? NOTHING : hidden('csrf', csrf)
  }`;
  if (unsent !== undefined) {
    return card({
      title: 'Add money',
      body: html`${notice('warn', unsent)}<p>${linkTo(`${STEP_FOUR}${agentId}`, 'Try again')}</p>${skip()}`,
    });
  }
  const error =
    refused &&
    { wrong: 'That code is wrong or expired. Try again.', spent: 'Too many tries. Send a new email.' }[refused];
  const isInbox = site.sandbox && sentCode !== undefined;
  const ask =
    csrf === undefined
      ? html`<p>We emailed a 6-digit code to <bdi class="masked">${maskedEmail(email)}</bdi>. It shows that the address is yours.</p>${
          isInbox ? inbox(sentCode) : NOTHING
        }${codeField(error, refused !== undefined, sentCode ?? '')}`
      : NOTHING;
  return card({
    title: 'Add money',
    body: html`<form method="post" action="/start/topup">${fields}${ask}${tierButtons(tiers)}</form>${
      csrf === undefined ? resend(email, agentId) : NOTHING
    }${skip()}`,
  });
}

function inbox(sentCode: string): Html {
  return notice(
    'info',
    html`<p>The sandbox sends no real email. Your test inbox has the code <strong>${sentCode}</strong>, filled in below. ${linkTo('/sandbox/outbox', 'Open the test inbox')}</p>`,
  );
}

function resend(email: string, agentId: string): Html {
  return html`<div class="sign-in-again"><form method="post" action="/api/cabinet/request-link" class="inline-form">${hidden('email', email)}${hidden('next', `${STEP_FOUR}${agentId}`)}<button class="button button-plain" data-wait="60">Send a new code</button></form></div>`;
}

function tierButtons(tiers: readonly Tier[]): Html {
  const buttons = tiers.map(
    ({ tier, price_eur }, index) =>
      html`<button class="button button-${index === 0 ? 'primary' : 'plain'}" name="tier" value="${tier}">${euros(price_eur)} ${tier}</button>`,
  );
  return html`<div class="actions tiers">${buttons}</div><p class="hint">Credit equals the price. You pay by card on the next page.</p>`;
}

function euros(amount: number): string {
  return Number.isInteger(amount) ? `€${amount}` : eur(amount.toFixed(2));
}

function skip(): Html {
  return html`<p class="muted">Or ${linkTo('/docs/quickstart', 'skip this: coordination is free')}.</p>`;
}

/** Comes back here after signing in. */
function stepFourHtml({ email, csrf, tiers }: StartView, agent: NonNullable<StartView['agent']>, site: Site): string {
  const { agent_id, untrusted_name, owner_verified, available_eur } = agent;
  if (email === null || csrf === null) {
    const ask = html`<p>Sign in first, so that the money is yours. We email you a link and a code.</p>
<form method="post" action="/api/cabinet/request-link" class="stacked-form">${field({ name: 'email', label: 'Your email', schema: { type: 'string', format: 'email', description: 'The address that you registered the agent with.' }, isRequired: true })}${hidden('next', `${STEP_FOUR}${agent_id}`)}${button('Email me a sign-in link')}</form>${skip()}`;
    return framed(4, card({ title: 'Add money', body: ask }), site);
  }
  const mine = owner_verified
    ? NOTHING
    : html`<p>Somebody registered this agent with your address. Add money only if it was you.</p><p class="check"><label><input type="checkbox" name="mine" value="yes" required> I registered this agent</label></p>`;
  const body = html`${card({
    title: 'Add money',
    body: html`<p>Agent ${quoted(untrusted_name)}: <strong>${eur(available_eur ?? '0.00')} available</strong></p>
<form method="post" action="/start/topup">${hidden('agent_id', agent_id)}${hidden('csrf', csrf)}${mine}${tierButtons(tiers)}</form>${skip()}`,
  })}<p class="actions">${button('Go to dashboard', { href: '/dashboard', kind: 'plain' })}</p>`;
  return framed(4, body, site);
}

/** Where the card processor is another site, a link leads there. */
export function topUpHtml(
  { price_eur, checkout_url }: { readonly price_eur: number; readonly checkout_url: string | null },
  site: Site,
): string {
  const body = card({
    title: `Add ${euros(price_eur)}`,
    body: html`<p>You pay on the card processor's page. The credit arrives within 30 seconds.</p><p class="actions">${
      checkout_url === null
        ? NOTHING
        : html`<a class="button button-primary" href="${checkout_url}" rel="noreferrer" autofocus>Continue to card payment</a>`
    }</p>`,
  });
  return framed(4, body, site);
}

function framed(step: 1 | 2 | 4, body: Html, site: Site, scripts: readonly `${string}.js`[] = []): string {
  const list = STEPS.map((label, index) => {
    const at = index + 1;
    return { label, state: at < step ? ('done' as const) : at === step ? ('current' as const) : ('todo' as const) };
  });
  return page(
    {
      title: TITLE,
      path: START,
      isPrivate: step !== 1,
      hasForms: step === 1,
      ...(scripts.length > 0 && { scripts }),
      body: html`<div class="start">${heading(TITLE, step === 1 ? LEAD : undefined)}${steps(list, TITLE)}${body}</div>`,
    },
    site,
  );
}
