import { setTimeout as sleep } from 'node:timers/promises';
import type { AvouchClient, ClientOptions } from '../../client/client.ts';
import { MandateDenied, withMandate } from '../../client/guard.ts';
import { type Trust, trustIn } from '../../client/proof.ts';
import { type Input, type Output, valueOf } from '../../client/outcome.ts';
import type { Result } from '../../verify/avouch-verify.mjs';
import { type Clock, DAY_MS, isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken, randomBytes } from '#kernel/ids.ts';
import { payingKey } from '#protocol/payment/account.ts';
import { hexOf } from '#protocol/payment/hex.ts';
import { principalOf } from './mandate.ts';
import { ownPayer } from './own-payer.ts';

const MAX_TURNS = 100;

/** What the steps hand on. */
export interface TourState {
  readonly clientOf: (more?: Partial<ClientOptions>) => AvouchClient;
  readonly clock: Clock;
  readonly patience: number;
  lease?: { readonly key: string; readonly lease: string; readonly token: string };
  sealed?: string;
  /** Keys of the service, read once; without them nothing verifies. */
  trust?: Trust;
}

/** The service did not do what the tour shows. */
export class TourError extends Error {
  override readonly name = 'TourError';
}

interface TourStep {
  readonly title: string;
  /** One sentence about what was seen. */
  readonly means: string;
  /** Members of the answers that are shown to a reader. */
  readonly shown: readonly string[];
  /** Gives what was found beside the answers. */
  readonly run: (state: TourState) => Promise<readonly string[]>;
}

export const TOUR: readonly TourStep[] = [
  {
    title: 'Check before you start',
    means: 'Nobody else is working on this issue. It is safe to claim.',
    shown: ['key', 'signal', 'reasons.0.text', 'others'],
    async run(state) {
      const key = `acme/repo#${Buffer.from(randomBytes(3)).readUIntBE(0, 3)}`;
      valueOf(await state.clientOf().look({ key, agent: 'scout-1' }));
      state.lease = { key, lease: '', token: '' };
      return [];
    },
  },
  {
    title: 'Claim it, and let another try',
    means: 'scout-1 holds the issue. scout-2 is refused and knows how long to wait.',
    shown: ['lease', 'fence', 'mode', 'expires_in_s', 'code', 'detail', 'wait_s'],
    async run(state) {
      const { key } = given(state.lease);
      const client = state.clientOf();
      const claimed = valueOf(await client.claim({ key, agent: 'scout-1', mode: 'exclusive', intent: 'fix parser' }));
      const second = await client.claim({ key, agent: 'scout-2', mode: 'exclusive' });
      if (second.ok || second.problem?.code !== 'held') throw new TourError('A second agent got the lease.');
      if (!('lease' in claimed)) throw new TourError('One work key was claimed and several leases were returned.');
      state.lease = { key, lease: claimed.lease, token: String(claimed.token) };
      return [];
    },
  },
  {
    title: 'Release it',
    means: 'The issue is free again, and the public log records it.',
    shown: ['released', 'outcome', 'log'],
    async run(state) {
      const { lease, token } = given(state.lease);
      valueOf(await state.clientOf().release({ lease, token, outcome: 'done' }));
      return [];
    },
  },
  {
    title: 'Seal a record',
    means: 'The log contains a commitment to the record. Anyone with the response can prove it with the log key alone.',
    shown: ['origin', 'attestation_id', 'verdict', 'seq', 'sealed_at'],
    async run(state) {
      state.trust = trustIn(valueOf(await state.clientOf().service_keys()));
      const client = state.clientOf();
      const claim = { statement: `delivered ${newCommandId()}` };
      const sealed = valueOf(await client.attest_seal({ schema_id: 'record.integrity.v1', claim }));
      const kept = await client.verifySeal(sealed);
      const forged = await client.verifySeal({ ...sealed, claim: { statement: 'not delivered' } });
      if (forged.valid) throw new TourError('Another claim passed as the sealed one.');
      state.sealed = sealed.attestation_id;
      return [checksOf('offline', kept), 'offline, with another claim: not valid'];
    },
  },
  {
    title: 'Buy a verdict',
    means:
      'One signed authorization paid for one response. Its receipt binds the result to this request and this service.',
    shown: ['balance', 'code', 'charged', 'kind', 'result.status', 'result.name', 'receipt.receipt_id'],
    async run(state) {
      const key = payingKey(hexOf(randomBytes(32)));
      const client = state.clientOf({ payer: ownPayer({ key, maxPrice: '0.01', clock: state.clock }) });
      valueOf(await client.sandbox_faucet({ address: key.address }));
      const paid = await client.eu_vat_check({ vat_number: 'NL000099998B57' });
      const verdict = valueOf(paid);
      if (!paid.ok || paid.payment === undefined) throw new TourError('The verdict was not paid for.');
      const receipt = await client.verifyReceipt(verdict, paid.request);
      return [`paid in transaction ${paid.payment.transaction}`, checksOf('receipt', receipt)];
    },
  },
  {
    title: 'Act under a mandate',
    means:
      'The principal signed what its agent may commit. The shop asked first and acted once; anything above the limit is refused.',
    shown: [
      'platform_id',
      'mandate_id',
      'assurance',
      'ok',
      'decision',
      'reason',
      'verify_ref',
      'state',
      'committed_cents',
    ],
    async run(state) {
      const platform = { name: 'Tour Shop', mcp_url: 'https://shop.example/mcp', contact: 'desk@shop.example' };
      const { api_key } = valueOf(await state.clientOf().amh_register(platform));
      const shop = state.clientOf({ platformKey: api_key });
      const { mandate_id } = valueOf(await shop.amh_mandate(signedMandate(state.clock)));
      const order = (amount_cents: number) => {
        const payload = `anchor for ${amount_cents}`;
        const question = { mandate_id, action: 'order.place', amount_cents, currency: 'EUR', payload } as const;
        return withMandate(shop, question, () => 'placed');
      };
      valueOf((await order(12_999)).sealed);
      const beyond = await order(60_000).catch((error: unknown) => error);
      if (!(beyond instanceof MandateDenied)) throw new TourError('The mandate allowed more than its limit.');
      return [];
    },
  },
  {
    title: 'Run a task',
    means: 'The request was routed without a model and completed. Every step is recorded and sealed.',
    shown: ['task_id', 'state', 'route.id', 'result.valid', 'result.means', 'root', 'chain_ok', 'attestation_id'],
    async run(state) {
      const client = state.clientOf();
      const need = `Verify the seal ${given(state.sealed)}`;
      const made = valueOf(await client.create_task({ agent_id: 'anonymous', need }));
      const task = await ended(client, made, state.patience * MAX_TURNS);
      if (task.state !== 'completed') throw new TourError(`The task is ${task.state}.`);
      valueOf(await client.get_evidence({ task_id: task.task_id }));
      return [checksOf('receipt', await client.verifyReceipt(task))];
    },
  },
];

function signedMandate(clock: Clock): Input<'amh_mandate'> {
  const principal = principalOf(newToken());
  const limits = { max_commit_cents: 50_000, valid_until: isoTime(clock.now() + DAY_MS) };
  const parties = { agent_id: 'agent:shopper-7', principal: 'Acme BV', principal_pubkey: principal.publicKey };
  const unsigned = { ...parties, ...limits, nonce: newCommandId() };
  return { ...unsigned, principal_signature: principal.sign(unsigned) };
}

/** Asks until the task is over, which most are when they are answered. */
async function ended(client: AvouchClient, made: Output<'create_task'>, mostTurns: number) {
  const { task_id: ref, receipt_key } = made;
  let task: Pick<Output<'check_task'>, 'task_id' | 'state' | 'result' | 'receipt'> = made;
  for (let turn = 0; turn < mostTurns && ['submitted', 'quoted', 'working'].includes(task.state); turn += 1) {
    await sleep(200);
    task = valueOf(await client.check_task({ ref, receipt_key }));
  }
  return task;
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('an earlier step gives this');
  return value;
}

/** Every check by name; a failed one ends the tour. */
function checksOf(what: string, { valid, checks }: Result): string {
  if (!valid) throw new TourError(`The ${what} check failed: ${JSON.stringify(checks)}`);
  return `${what}: valid (${checks.flatMap(({ name, ok }) => (ok ? [name] : [])).join(', ')})`;
}
