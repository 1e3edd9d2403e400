// The response of a call in a few words, and what to do next.
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { errorSummary, keyValues, linkTo, pill } from '#web/components.ts';
import { labelOf, type Tone } from '#web/labels.ts';
import { shortId } from '#web/short-id.ts';
import { exactText, lengthText } from '#web/times.ts';
import { quoted } from '#web/untrusted.ts';
import type { PlaygroundAnswer } from './answer.ts';

type Answer = Readonly<Record<string, unknown>>;
type Rows = readonly (readonly [string, Html | string | number])[];

interface Summary {
  readonly title: string;
  readonly tone: Tone;
  readonly lines?: readonly (Html | string)[];
  readonly rows?: Rows;
  readonly next?: readonly Html[];
}

interface Told {
  readonly answer: Answer;
  readonly values: Readonly<Record<string, string>>;
}

const MAX_LINES = 6;
const text = (value: unknown) => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value));
const playground = (fields: Readonly<Record<string, string>>) => `/playground?${new URLSearchParams(fields)}`;

/** Runs another call at once. In the body of a POST, so that a token never stands in an address. */
function runButton(label: string, fields: Readonly<Record<string, string>>): Html {
  return html`<form method="post" action="/playground#outcome">${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button button-plain">${label}</button></form>`;
}

function nextLink(label: string, href: string): Html {
  return html`<a class="button button-plain" href="${href}">${label}</a>`;
}

function look({ answer }: Told): Summary {
  const [key, signal] = [text(answer['key']), text(answer['signal'])];
  const reasons = answer['reasons'] as readonly { text: string }[];
  return {
    title: `${labelOf(signal)} (signal ${signal})`,
    tone: signal === 'GREEN' ? 'good' : signal === 'RED' ? 'bad' : 'warn',
    lines: reasons.map((reason) => reason.text),
    next: [
      nextLink('Claim it', playground({ operation: 'claim', key })),
      nextLink('See it on the board', `/board/${encodeURIComponent(key)}`),
    ],
  };
}

function claim({ answer, values }: Told): Summary {
  const [lease, token, key] = [text(answer['lease']), answer['token'], text(answer['key'])];
  const untilMs = Date.parse(text(answer['expires_at']));
  const clock = exactText(untilMs).slice(-5);
  const word = answer['refreshed'] === true ? 'renewed' : 'granted';
  return {
    title: `Lease ${word} until ${clock} UTC (${lengthText(Number(answer['ttl_s']) * 1_000)})`,
    tone: 'good',
    rows: [
      ['Lease', shortId(lease)],
      ...(typeof token === 'string'
        ? ([
            [
              'Token',
              html`${shortId(token)} <span class="hint">Shown once. Anyone with it can release the lease.</span>`,
            ],
          ] as Rows)
        : []),
      ['Fencing token', text(answer['fence'])],
      ['Mode', text(answer['mode'])],
    ],
    next: [
      ...(typeof token === 'string' ? [runButton('Release it', { operation: 'release', lease, token })] : []),
      nextLink(
        'Try as another agent',
        playground({
          operation: 'claim',
          key: values['key'] ?? key,
          agent: 'second-agent',
          mode: text(answer['mode']),
        }),
      ),
      nextLink('See it on the board', `/board/${encodeURIComponent(key)}`),
    ],
  };
}

function release({ answer }: Told): Summary {
  const key = text(answer['key']);
  const entry = answer['log'];
  return {
    title: answer['released'] === true ? 'Lease released' : 'The lease had already ended',
    tone: 'good',
    rows: [
      ...(entry == null ? [] : ([['Log entry', linkTo(`/log/${text(entry)}`, text(entry))]] as Rows)),
      ['Work key', key],
    ],
    next: [nextLink('Check the work key', playground({ operation: 'look', key }))],
  };
}

function mark({ answer }: Told): Summary {
  const key = text(answer['key']);
  return {
    title: answer['repeated'] === true ? 'This mark was already left today' : `Mark left: ${text(answer['kind'])}`,
    tone: 'good',
    rows: [
      ['Weight', Number(Number(answer['weight']).toFixed(3))],
      ['Log entry', linkTo(`/log/${text(answer['log'])}`, text(answer['log']))],
    ],
    next: [nextLink('See it on the board', `/board/${encodeURIComponent(key)}`)],
  };
}

function seal({ answer }: Told): Summary {
  const id = text(answer['attestation_id']);
  const isAccepted = answer['verdict'] === 'ACCEPT';
  return {
    title: isAccepted ? `Accepted and sealed as entry ${text(answer['seq'])}` : `Rejected: ${text(answer['code'])}`,
    tone: isAccepted ? 'good' : 'warn',
    rows: [
      ['Id', shortId(id, `/log/${id}`)],
      [
        'Disclosure seed',
        html`${shortId(text(answer['disclosure_seed']))} <span class="hint">Shown once. Keep it private: it can reveal or erase the claim.</span>`,
      ],
    ],
    lines: ['It proves that the record existed in this form, not that it is true.'],
    next: [nextLink('Verify it in your browser', `/log/${id}`)],
  };
}

function verify({ answer }: Told): Summary {
  const id = text(answer['attestation_id']);
  const isValid = answer['valid'] === true;
  const checks = answer['checks'] as readonly { ok: boolean | null }[];
  const passed = checks.filter(({ ok }) => ok === true).length;
  return {
    title: isValid ? 'Verified by the service' : 'Verification failed',
    tone: isValid ? 'good' : 'bad',
    lines: [`${passed} of ${checks.length} checks passed. Your browser can check it independently.`],
    next: [nextLink('Verify it in your browser', `/log/${id}`)],
  };
}

const SPEND_TONES: Readonly<Record<string, Tone>> = { GO: 'good', CAUTION: 'warn', STOP: 'bad' };

function spend({ answer }: Told): Summary {
  const result = (answer['result'] ?? answer) as Answer;
  const checks = result['checks'] as readonly { step: number; name: string; result: string; why: string }[];
  const open = checks.filter((check) => check.result !== 'PASS');
  const verdict = text(result['verdict']);
  return {
    title: `${verdict}: ${checks.length - open.length} of ${checks.length} checks passed`,
    tone: SPEND_TONES[verdict] ?? 'neutral',
    lines: open.map(({ result: said, why }) => `${labelOf(said.toLowerCase())}: ${why}`),
    ...(answer['receipt'] !== undefined && {
      rows: [['Receipt', html`signed, ${linkTo('/verify', 'verify it in your browser')}`]] as Rows,
    }),
  };
}

function vat({ answer }: Told): Summary {
  const { status, valid, vat: number, name } = answer['result'] as Answer;
  return {
    title: `VAT number ${text(number)}: ${text(status)}`,
    tone: valid === true ? 'good' : 'warn',
    lines: [],
    rows: [
      ...(typeof name === 'string' ? [['Registered name', quoted(name)] as const] : []),
      ['Receipt', html`signed, ${linkTo('/verify', 'verify it in your browser')}`],
    ],
  };
}

function lint({ answer }: Told): Summary {
  const elements = answer['elements'] as readonly { seems_stated: boolean; untrusted_matched: string | null }[];
  const found = elements.filter((element) => element.seems_stated);
  const questions = answer['questions'] as readonly { text: string }[];
  return {
    title: `${found.length} of ${elements.length} elements found`,
    tone: questions.length === 0 ? 'good' : 'warn',
    lines: questions.map((question) => question.text),
    rows: [['Words that matched', html`${found.map(({ untrusted_matched: words }) => html`${quoted(words)} `)}`]],
  };
}

const SUMMARIES: Readonly<Record<string, (told: Told) => Summary>> = {
  look,
  claim,
  release,
  mark,
  attest_seal: seal,
  attest_verify: verify,
  check: spend,
  spend_fuse: spend,
  eu_vat_check: vat,
  brief_lint: lint,
};

/** Members that are plain, for what has no words of its own. */
function plainRows(answer: Answer): Rows {
  const plain = Object.entries(answer).filter(([, value]) => typeof value !== 'object');
  return plain.slice(0, MAX_LINES).map(([name, value]) => [name, quoted(text(value))]);
}

/** Where waiting is not the way. */
const WAIT_LABELS: Readonly<Record<string, string>> = { already_yours: 'Without the token, wait' };

function problem(answer: Answer, status: number): Summary {
  const code = text(answer['code']);
  const wait = Number(answer['retry_after_s'] ?? answer['wait_s']);
  return {
    title: status === 402 ? 'Payment required. Nothing was charged.' : text(answer['title']),
    tone: status === 402 ? 'info' : status < 500 ? 'warn' : 'bad',
    lines: [text(answer['detail'])],
    rows: Number.isFinite(wait) ? [[WAIT_LABELS[code] ?? 'Wait at most', lengthText(wait * 1_000)]] : [],
    // Whoever goes back to a sent form would have to send it again.
    next: [
      html`<a class="button button-plain" href="/problems/${encodeURIComponent(code)}" target="_blank">About this error</a>`,
    ],
  };
}

/** `errorLinks`: the fields that the call refused, as links to them. */
export function summaryHtml(view: PlaygroundAnswer, errorLinks: readonly { message: string; href: string }[]): Html {
  const { chosen, values, outcome } = view;
  if (outcome === null) return NOTHING;
  const { status } = outcome;
  const answer = (typeof outcome.answer === 'object' && outcome.answer !== null ? outcome.answer : {}) as Answer;
  const told = SUMMARIES[chosen.operation];
  const isProblem = status >= 400;
  const shown = isProblem
    ? problem(answer, status)
    : told === undefined || answer['batch'] === true
      ? { title: 'Done', tone: 'good' as const, rows: plainRows(answer) }
      : told({ answer, values });
  const { title, tone, lines = [], rows = [], next = [] } = shown;
  const more = lines.length - MAX_LINES;
  return html`<p class="summary-title summary-${tone}"><span class="dot" aria-hidden="true"></span>${title}</p>
${errorLinks.length > 0 ? errorSummary(errorLinks) : lines.length === 0 ? NOTHING : html`<ul>${lines.slice(0, MAX_LINES).map((line) => html`<li>${line}</li>`)}${more > 0 ? html`<li>and ${more} more, see JSON</li>` : NOTHING}</ul>`}
${rows.length === 0 ? NOTHING : keyValues(rows)}
${isProblem ? html`<p class="hint">${status} · <code>${text(answer['code'])}</code></p>` : NOTHING}
${next.length === 0 ? NOTHING : html`<div class="actions next-calls"><span class="hint">Next:</span>${next}</div>`}`;
}

export function statusPill(status: number): Html {
  const tone: Tone = status < 300 ? 'good' : status === 402 ? 'info' : status < 500 ? 'warn' : 'bad';
  return pill(String(status), { tone, label: String(status) });
}
