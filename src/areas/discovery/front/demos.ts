import { lazily } from '#kernel/lazily.ts';
import { z } from 'zod';
import { timeField } from '#kernel/fields.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { code, linkTo } from '#web/components.ts';
import type { RaceResult } from './race.ts';

export const Demos = z
  .strictObject({
    work_key: z.string().meta({ description: 'A work key that nobody has claimed yet.' }),
    entry: z
      .strictObject({ seq: z.int(), attestation_id: z.string(), vkeys: z.array(z.string()) })
      .nullable()
      .meta({ description: 'The newest log entry, and the keys to verify it with. Null if it cannot be read.' }),
    vat_check: z
      .strictObject({
        vat_number: z.string(),
        price_usdc: z.string(),
        recorded: z
          .strictObject({ status: z.string(), name: z.string().nullable(), at: timeField })
          .meta({ description: 'A recorded verdict, shown where there is no test money.' }),
      })
      .nullable(),
  })
  .meta({ description: 'What the three demos of the page use.' });

export type DemosAnswer = z.output<typeof Demos>;

export const EXAMPLE_DEMOS: DemosAnswer = {
  work_key: 'demo/8fK2mQ0xYz',
  entry: {
    seq: 339,
    attestation_id: 'ATT-XHQ4MSZQNELY5EVCC2RGBBJGVPOSWWHEC7IFDT5U2MMNWY7SXQCA',
    vkeys: ['avouch.example/log+234d837a+AQ…'],
  },
  vat_check: {
    vat_number: 'NL000099998B57',
    price_usdc: '0.002',
    recorded: { status: 'VALID', name: 'VOORBEELD HANDEL B.V.', at: '2026-11-15T10:00:18.000Z' },
  },
};

interface DemoCard {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  /** Where the result appears; it has its height before. */
  readonly result: Html;
  readonly actions: Html;
  readonly more?: Html;
  readonly attributes?: Html;
}

function demoCard({ id, title, what, result, actions, more = NOTHING, attributes = NOTHING }: DemoCard): Html {
  return html`<section class="card demo" id="${id}"${attributes} aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3><p class="muted">${what}</p>
<div class="demo-result" aria-live="polite">${result}</div>${actions}${more}</section>`;
}

export function raceCard(race?: RaceResult): Html {
  const action = race === undefined ? 'Run the race' : 'Run the race again';
  return demoCard({
    id: 'race',
    title: 'Two agents, one issue',
    what: 'Two claims at the same moment. One wins.',
    result: race === undefined ? raceBefore() : raceAfter(race),
    actions: html`<form method="post" action="/demo/race#race" data-race class="demo-actions"><button class="button button-primary">${action}</button><span class="muted" data-says></span></form>`,
  });
}

function raceBefore(): Html {
  return html`<ol class="demo-lines"><li><strong>scout-1</strong> claim <span class="muted">waits for the start</span></li><li><strong>scout-2</strong> claim <span class="muted">waits for the start</span></li></ol>`;
}

function raceAfter({ claims }: RaceResult): Html {
  const lines = claims.map(({ agent, status, code: problem, lease, fence, wait_s: wait }) =>
    lease === null
      ? html`<li><strong>${agent}</strong> claim <span class="badge badge-warn">${status} ${problem ?? ''}</span><span class="demo-note">${wait === null ? 'refused' : `refused, wait at most ${wait} s`}</span></li>`
      : html`<li><strong>${agent}</strong> claim <span class="badge badge-good">${status}</span><span class="demo-note">lease <code>${lease}</code>, fencing token ${fence ?? ''}</span></li>`,
  );
  return html`<ol class="demo-lines">${lines}</ol>`;
}

const PROOF_STEPS = ['Its bytes hash to its id', 'Its path leads to the signed root', 'The checkpoint is signed'];

export function verifyCard({ entry }: DemosAnswer, baseUrl: string): Html {
  const what = 'Your browser recomputes every hash. Change one bit and watch it fail.';
  const shared = { id: 'verify-demo', title: 'Check a proof yourself', what };
  if (entry === null) {
    return demoCard({
      ...shared,
      result: html`<p>The newest log entry cannot be read right now.</p>`,
      actions: NOTHING,
    });
  }
  const { seq, attestation_id: id, vkeys } = entry;
  const command = `./avouch verify ${id} \\\n  --url ${baseUrl}`;
  return demoCard({
    ...shared,
    attributes: html` data-entry="${id}" data-vkeys="${JSON.stringify(vkeys)}"`,
    result: html`<p class="demo-subject">${linkTo(`/log/${id}`, `Log entry ${seq.toLocaleString('en')}`)} <span class="muted" data-says>not checked yet</span></p><ol class="demo-lines" data-steps>${PROOF_STEPS.map((step) => html`<li>${step}</li>`)}</ol>`,
    actions: html`<p class="demo-actions needs-script"><button type="button" class="button button-primary" data-verify>Verify</button><button type="button" class="button button-plain" data-flip>Flip one bit</button></p><noscript><p>${linkTo(`/log/${id}`, 'Open the entry')}, or run this command:</p>${code(command, 'Command line')}</noscript>`,
    more: html`<details class="needs-script"><summary>Check it without this page</summary>${code(command, 'Command line')}</details>`,
  });
}

const recordedDay = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

export function payCard({ vat_check: check }: DemosAnswer, { sandbox }: Site): Html {
  const what = 'An EU VAT check: price, payment, signed receipt.';
  const shared = { id: 'pay', title: 'Pay per call', what };
  if (check === null) return NOTHING;
  const { vat_number: vat, price_usdc: price, recorded } = check;
  if (!sandbox) {
    const verdict = html`<li><span class="badge badge-good">200</span> ${recorded.status}${recorded.name === null ? NOTHING : html`: ${recorded.name}`}</li>`;
    return demoCard({
      ...shared,
      result: payLines(
        price,
        html`${verdict}<li class="muted">Recorded on ${recordedDay().format(Date.parse(recorded.at))}</li>`,
      ),
      actions: html`<p class="demo-actions">${linkTo('/docs/payments', 'How to pay per call')}</p>`,
    });
  }
  return demoCard({
    ...shared,
    result: payLines(price, html`<li class="muted">Not paid yet</li>`),
    actions: html`<form method="post" action="/playground/pay#outcome" data-pay class="demo-actions"><input type="hidden" name="operation" value="eu_vat_check"><input type="hidden" name="vat_number" value="${vat}"><button class="button button-primary">Pay with test money</button><span class="muted" data-says></span></form>`,
  });
}

function payLines(price: string, rest: Html): Html {
  return html`<ol class="demo-lines" data-steps><li><span class="badge badge-info">402</span> The call costs <strong>${price} USDC</strong></li>${rest}</ol>`;
}
