// Mandates with tight limits, platforms that verify and seal under them, and principals who revoke.
import { verifyAction } from '#areas/mandates/handshake-operations.ts';
import type { MandateBody } from '#areas/mandates/mandate-body.ts';
import type { Mandates } from '#areas/mandates/service.ts';
import { DAY_MS, HOUR_MS, type ManualClock } from '#kernel/clock.ts';
import { newId, sha256Hex } from '#kernel/ids.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { checkBooks, mandatesOn } from '../models/mandate-model.ts';
import type { Chance } from './time.ts';
import { LOST, type Part, type Process, type World } from './world.ts';

const CALLERS = 3;
const SWEEP_EVERY_MS = HOUR_MS / 2;
const NEW_MANDATE_EVERY_MS = 12 * HOUR_MS;
/** Answers are kept for a day. */
const REPEATABLE_MS = 20 * HOUR_MS;
type Limits = Pick<MandateBody, 'max_commit_cents' | 'per_action_cap_cents' | 'max_actions' | 'period'>;
const LIMITS: readonly Limits[] = [
  { max_commit_cents: 300 },
  { max_commit_cents: 600, per_action_cap_cents: 50, max_actions: 4 },
  { max_commit_cents: 2_000, period: { unit: 'day', cap_cents: 120 } },
];

type Body = Readonly<Record<string, unknown>>;

interface Known {
  readonly id: string;
  readonly control: string;
  isRevoked: boolean;
}

/** What a platform was told of an action, and what it said became of it. */
interface Allowed {
  readonly ref: string;
  readonly amount: number;
  sealed: { readonly outcome: string; readonly amount: number } | 'in doubt' | null;
}

export function simulateMandates(world: World): Part {
  const services = new Map<Process, Mandates>();
  world.onBirth((process) => {
    const service = mandatesOn(process.store, process.clock as ManualClock);
    services.set(process, service);
    world.every(process, SWEEP_EVERY_MS, () => service.sweep());
  });
  const on = (process: Process) => services.get(process) as Mandates;
  const parts: Parts = { world, on, mandates: [], allowed: [] };
  const principal = async () => {
    const chance = world.chance.of('principal');
    for (let made = 0; !world.isCalm; made += 1) {
      await create(parts, chance, LIMITS[made % LIMITS.length] as Limits);
      await world.time.sleep(NEW_MANDATE_EVERY_MS);
      const known = chance.pick(parts.mandates);
      if (known !== undefined && chance.happens(0.3)) await revoke(parts, chance, known);
    }
  };
  const platform = async (index: number) => {
    const chance = world.chance.of(`platform ${index}`);
    const input = { name: `Shop ${index}`, mcp_url: 'https://shop.example', contact: 'https://shop.example' };
    const told = await world.insist(chance, (process) => on(process).register(input, call(`shop ${index}`)));
    if (told === LOST || told instanceof Refusal) return;
    const key = String((told.body as Body)['api_key']);
    while (!world.isCalm) {
      await world.think(chance);
      if (parts.mandates.length > 0) await handshake(parts, chance, key);
    }
  };
  const running = [principal(), ...Array.from({ length: CALLERS }, (_, index) => platform(index))];
  return {
    check: () => check(parts),
    stop: async () => void (await Promise.all(running)),
  };
}

interface Parts {
  readonly world: World;
  readonly on: (process: Process) => Mandates;
  readonly mandates: Known[];
  readonly allowed: Allowed[];
}

const call = (tag: string): Call => ({ requestId: 'r', addressTag: tag, mediaType: 'application/json' });

async function create({ world, on, mandates }: Parts, chance: Chance, limits: Limits): Promise<void> {
  const valid_until = new Date(world.newestClock() + 300 * DAY_MS).toISOString();
  const key = newId('key_');
  const body = { agent_id: 'agent:7', principal: 'Acme', valid_until, ...limits, idempotency_key: key };
  const told = await world.insist(chance, (process) => on(process).create(body, call('principal')));
  if (told === LOST || told instanceof Refusal) return;
  const { mandate_id, control_token } = told.body as Body;
  world.told('mandate', mandate_id);
  // The control token is shown again only for a while.
  mandates.push({ id: String(mandate_id), control: String(control_token), isRevoked: false });
}

async function revoke({ world, on }: Parts, chance: Chance, known: Known): Promise<void> {
  const input = { mandate_id: known.id, control_token: known.control };
  const told = await world.insist(chance, (process) => on(process).revoke(input));
  if (told !== LOST && !(told instanceof Refusal)) known.isRevoked = true;
}

async function handshake(parts: Parts, chance: Chance, key: string): Promise<void> {
  const { world, on, mandates, allowed } = parts;
  const mandate = chance.pick(mandates.slice(-3));
  const amount = 1 + chance.below(60);
  const input = verifyAction.input.parse({
    api_key: key,
    mandate_id: mandate.id,
    action: 'order.place',
    amount_cents: amount,
    currency: 'EUR',
    payload_hash: sha256Hex(`payload ${chance.below(1_000_000)}`),
    hold_seconds: chance.pick([60, 900]),
    idempotency_key: newId('key_'),
  });
  const wasRevoked = mandate.isRevoked;
  const sentMs = world.newestClock();
  const ask = () => world.insist(chance, (process) => on(process).verify(input));
  const first = await ask();
  if (first === LOST || first instanceof Refusal) return refused(world, 'a verification', first);
  const { verify_ref, ok, reason } = first.body as Body;
  world.told(`verify ${String(reason)}`, verify_ref);
  if (ok === true && wasRevoked) world.violation(`${String(verify_ref)} was allowed after its mandate was revoked`);
  if (chance.happens(0.3)) sameAgain(world, sentMs, first, await ask());
  if (ok !== true) return;
  const one: Allowed = { ref: String(verify_ref), amount, sealed: null };
  allowed.push(one);
  await world.think(chance);
  if (!chance.happens(0.8)) return;
  const outcome = chance.pick(['placed', 'placed', 'refused'] as const);
  const final = outcome === 'placed' && chance.happens(0.3) ? Math.ceil(amount / 2) : amount;
  const said = { api_key: key, verify_ref: one.ref, outcome, ...(final !== amount && { final_amount_cents: final }) };
  one.sealed = 'in doubt';
  const seal = () => world.insist(chance, (process) => on(process).seal(said));
  const sealed = await seal();
  if (sealed === LOST || sealed instanceof Refusal) return refused(world, 'a seal', sealed);
  world.told(`outcome ${outcome}`, sealed.body);
  one.sealed = { outcome, amount: outcome === 'placed' ? final : 0 };
  if (chance.happens(0.3)) sameAgain(world, sentMs, sealed, await seal());
}

function refused(world: World, what: string, told: Refusal | typeof LOST): void {
  if (told instanceof Refusal) world.violation(`${what} was refused as ${told.type.code}: ${told.details.detail}`);
}

function sameAgain(world: World, sentMs: number, first: Answer<unknown>, again: unknown): void {
  if (again === LOST || world.newestClock() > sentMs + REPEATABLE_MS) return;
  const isSame = again instanceof Answer && JSON.stringify(again.body) === JSON.stringify(first.body);
  if (!isSame) world.violation(`asked again, ${JSON.stringify(first.body)} became ${JSON.stringify(again)}`);
}

/** Caps hold, counters are the sums of their parts, and what was allowed or sealed stands as it was told. */
async function check({ world, mandates, allowed }: Parts): Promise<string[]> {
  const found: string[] = [];
  const ids = mandates.map(({ id }) => id);
  await checkBooks(world.reader as never, ids).catch((error: Error) => found.push(error.message));
  const rows = new Map(world.rows('SELECT * FROM amh_verification').map((row) => [row['ref'], row]));
  for (const { ref, amount, sealed } of allowed) {
    const row = rows.get(ref);
    if (row === undefined) found.push(`${ref} was allowed and is forgotten`);
    else if (sealed === null && row['state'] === 'verified' && row['reserved'] !== amount) {
      found.push(`${ref} reserves ${row['reserved']}, not ${amount}`);
    } else if (sealed !== null && sealed !== 'in doubt') {
      const isKept = row['state'] === sealed.outcome && row['committed'] === sealed.amount;
      if (!isKept) found.push(`${ref} was sealed ${JSON.stringify(sealed)} and is ${JSON.stringify(row)}`);
    }
  }
  return found;
}
