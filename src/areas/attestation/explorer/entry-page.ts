import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, code, crumbs, dataTable, hash, heading, keyValues, linkTo, pill } from '#web/components.ts';
import { asPhrase } from '#web/labels.ts';
import { page } from '#web/layout.ts';
import { fullId, shortId } from '#web/short-id.ts';
import { whenExact } from '#web/times.ts';
import { quoted } from '#web/untrusted.ts';
import { checkPanel, keyPanel } from './check-panel.ts';
import { kindLabel, verdictPill } from './entry-kinds.ts';
import type { EntryAnswer } from './explorer-answers.ts';

const BYTES_PER_LINE = 16;
/** What the browser checks of a mark or release; a seal has one more, its observations. */
const ENTRY_CHECKS = 7;

export function logEntryHtml(entry: EntryAnswer, site: Site): string {
  const { seq, attestation_id: id, vkeys, verify_url: url, inclusion, checks } = entry;
  const label = kindLabel(entry.schema_id ?? entry.type ?? 'unreadable entry');
  const signer = checks.find(({ name }) => name === 'checkpoint_signature')?.key ?? '';
  const commands = `curl '${url}' -o seal.json
./avouch verify seal.json --vkey '${signer}' --id ${id}`;
  const step = (to: number, text: string, name: string) =>
    html`<a class="button button-plain" href="/log/${to}"><span class="visually-hidden">${name}: </span>${text}</a>`;
  const isLast = seq + 1 >= inclusion.tree_size;
  const body = html`${crumbs([{ href: '/log', label: 'Log' }], `Entry ${seq}`)}
${heading(
  label,
  html`Entry ${seq} · <code>${entry.schema_id ?? entry.type ?? 'unreadable'}</code>${entry.sealed_at === null ? NOTHING : html` · ${whenExact(entry.sealed_at)}`}`,
  [
    ...(seq === 0 ? [] : [step(seq - 1, `← ${seq - 1}`, 'Previous entry')]),
    ...(isLast ? [] : [step(seq + 1, `${seq + 1} →`, 'Next entry')]),
  ],
)}
<section class="card check-card" aria-label="Checked in your browser"><div class="card-body" data-check="entry" data-id="${id}" data-vkeys="${JSON.stringify(vkeys)}">${checkPanel({ id: 'entry-result', commands, rows: ENTRY_CHECKS + (entry.type === 'seal' ? 1 : 0), hasPath: inclusion.hashes.length > 0 })}${keyPanel(vkeys)}</div></section>
<div class="grid">${card({ title: 'What it says', body: claimBody(entry) })}${card({
    title: 'What it proves',
    body: html`<p>This record existed in exactly this form${entry.sealed_at === null ? NOTHING : html` at ${whenExact(entry.sealed_at)}`}, and it is unchanged.</p><p><strong>It does not prove that the content is true.</strong></p><p class="muted">${entry.means}</p>`,
  })}</div>
${fold('Details', details(entry))}
${fold('Raw bytes', rawBytes(entry))}
${fold('Proof file', proofBody(entry))}
${fold('Checked by the service (not independent)', html`<p class="muted">Recomputed from stored bytes at ${whenExact(entry.recomputed_at)}.</p>${serverChecks(entry)}`)}`;
  return page(
    { title: `Log entry ${seq}`, path: `/log/${id}`, section: 'explore', scripts: ['log-check.js'], body },
    site,
  );
}

function fold(title: string, body: Html): Html {
  return html`<details class="card fold"><summary>${title}</summary><div class="card-body">${body}</div></details>`;
}

const VERDICT_MEANS = {
  ACCEPT: 'The record met the rules of its schema. It can still be untrue.',
  REJECT: 'The record broke a rule of its schema. The rejection is sealed too.',
} as const;

/** Only what the entry has. */
function details(entry: EntryAnswer): Html {
  const { verdict, code: reason, sandbox, corrects, follows_up: follows } = entry;
  const links = (ids: readonly string[]): Html | undefined =>
    ids.length === 0 ? undefined : html`${ids.map((id) => html`${shortId(id, `/log/${id}`)} `)}`;
  const rows: readonly (readonly [string, Html | string | undefined])[] = [
    ['Id', fullId(entry.attestation_id)],
    ['Leaf hash', fullId(entry.leaf_hash)],
    ['Type', entry.type ?? 'unreadable'],
    ['Schema', entry.schema_id ?? undefined],
    ['Verdict', verdict === null ? undefined : html`${verdictPill(verdict)} ${VERDICT_MEANS[verdict]}`],
    ['Code', reason === null ? undefined : html`<code>${reason}</code>`],
    ['Made by', entry.origin === null ? undefined : entry.origin === 'protocol' ? 'Avouch' : 'A third party'],
    ['Sandbox', sandbox === null ? undefined : sandbox ? 'Yes' : 'No'],
    ['Corrects', links(corrects === null ? [] : [corrects])],
    ['Corrected by', links(entry.superseded_by)],
    ['Follows up', links(follows === null ? [] : [follows])],
    ['Followed up by', links(entry.followed_up_by)],
  ];
  return keyValues(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function rawBytes({ entry }: EntryAnswer): Html {
  const bytes = Buffer.from(entry, 'base64');
  return html`${code(bytes.toString('utf8'), 'Entry as text')}<details><summary>${bytes.length} bytes in hexadecimal</summary>${code(hexDump(bytes), 'Entry in hexadecimal')}</details>`;
}

function proofBody({ attestation_id: id, inclusion, checkpoint }: EntryAnswer): Html {
  return html`<p><a href="/api/attest/verify/${id}?format=tlog-proof" download="${id}.tlog-proof">Download the proof file</a> · ${linkTo(`/log/heads?older=${inclusion.tree_size}`, 'Compare with the latest checkpoint')}</p>
<p>The Merkle path connects this entry to the signed root. Index ${inclusion.index} of ${inclusion.tree_size}, ${inclusion.hashes.length} hashes in the path:</p><ol class="hashes">${inclusion.hashes.map((one) => html`<li>${hash(one)}</li>`)}</ol>${code(checkpoint, 'Checkpoint')}`;
}

const PRIVATE_CLAIM = {
  seal: 'Not public. The entry contains only a commitment to it.',
  mark: 'Not in the log. The entry contains only a commitment to work key, agent and note.',
  release: 'Not in the log. The entry contains only a commitment to work key, agent and lease.',
} as const;

const SHOWN_BY_SERVICE =
  'The service shows this text and checked it against the entry. Your browser cannot, because its seed is not public.';

function claimBody({ claim, type, schema_id: schema, origin, checks }: EntryAnswer): Html {
  if (claim === null) return html`<p>${type === null ? 'The bytes cannot be read.' : PRIVATE_CLAIM[type]}</p>`;
  const isOwn = schema?.startsWith('protocol.') === true || schema === 'coordination.state.v1' || origin === 'protocol';
  const source = isOwn ? 'Published by Avouch.' : 'Submitted by a third party. Not a statement by Avouch.';
  // A claim that is not in the signed bytes rests on the word of the service.
  const isInClear = checks.some(({ name, state }) => name === 'claim_commitment' && state === 'in_clear');
  return html`<p class="muted">${source}${isInClear ? '' : ` ${SHOWN_BY_SERVICE}`}</p>${keyValues(
    Object.entries(claim).map(([name, value]) => [
      asPhrase(name),
      html`${[value].flat().map((one) => html`<div>${claimValue(one)}</div>`)}`,
    ]),
  )}`;
}

const DIGEST = /^[0-9a-f]{64}$/;

function claimValue(value: unknown): Html {
  if (typeof value !== 'string') return quoted(JSON.stringify(value));
  return DIGEST.test(value) ? shortId(value) : quoted(value);
}

function serverChecks({ checks }: EntryAnswer): Html {
  return dataTable({
    caption: 'Checks by the service',
    hidesCaption: true,
    columns: ['Check', 'Result', 'Details'],
    rows: checks.map(({ name, ok, state, recomputed, count }) => [
      html`<span title="${name}">${asPhrase(name)}</span>`,
      ok === null
        ? pill('not_applicable')
        : pill(ok ? 'ok' : 'failed', { tone: ok ? 'good' : 'bad', label: ok ? 'Passed' : 'Failed' }),
      recomputed === undefined
        ? html`${asPhrase(state ?? '')}${count === undefined ? NOTHING : html` ${count}`}`
        : shortId(recomputed),
    ]),
  });
}

function hexDump(bytes: Uint8Array): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / BYTES_PER_LINE) }, (_, line) => {
    const at = line * BYTES_PER_LINE;
    const part = Array.from(bytes.subarray(at, at + BYTES_PER_LINE), (byte) => byte.toString(16).padStart(2, '0'));
    return `${at.toString(16).padStart(4, '0')}  ${part.join(' ')}`;
  });
  return lines.join('\n');
}
