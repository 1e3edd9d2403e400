import { createPublicKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes, ed25519Sign } from '#protocol/ed25519.ts';
import { systemClock, isoTime } from '#kernel/clock.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { callService, objectIn, serviceUrl } from './log-client.ts';

const TAKES =
  'mandate takes sign <file> --key <seed file> [--new-key] | create <file> [--unsigned] | revoke <id> | show <id>, and --key, --control, --url, --out';

interface Given {
  readonly subject: string;
  readonly key: string | undefined;
  /** Token text of the mandate, or the file that holds the answer of its creation. */
  readonly control: string | undefined;
  readonly url: string;
  readonly out: string | undefined;
  readonly flags: ReadonlySet<string>;
}

/** The principal's side of the handshake; the private key never leaves this machine. */
const ACTIONS: Readonly<Record<string, (given: Given, terminal: Terminal) => Promise<void>>> = {
  sign,
  create,
  revoke,
  show,
};

export const mandate: Command = {
  name: 'mandate',
  summary: 'sign, create, revoke or show what an agent may commit for its principal',
  usage:
    'mandate sign <file> --key <seed file> [--new-key] [--out <file>] | create <file> [--unsigned] [--out <file>] | revoke <mandate id> (--control <file> | --key <seed file>) | show <mandate id> [--control <file>] [--url <url>]',
  examples: [
    './avouch mandate sign mandate.json --key principal.seed --new-key --out signed.json',
    './avouch mandate create signed.json --out mandate-answer.json',
    './avouch mandate show mnd_0123456789abcdefghjkmnpqrs --control mandate-answer.json',
    './avouch mandate revoke mnd_0123456789abcdefghjkmnpqrs --key principal.seed',
  ],
  async run(args, terminal) {
    const taken = { values: ['key', 'control', 'url', 'out'], flags: ['new-key', 'unsigned'] };
    const { positionals, values, flags } = givenArguments(args, taken, TAKES);
    const [name, subject, ...more] = positionals;
    const action = name === undefined ? undefined : ACTIONS[name];
    if (action === undefined || subject === undefined || more.length > 0) throw new UsageError(TAKES);
    const { key, control, out } = values;
    await action({ subject, key, control, out, flags, url: serviceUrl(values['url'], terminal.env) }, terminal);
    return 0;
  },
};

async function sign({ subject, key, out, flags }: Given, terminal: Terminal): Promise<void> {
  const { principal_signature: _, ...body } = await objectOf(subject);
  const principal = flags.has('new-key') ? await newSigner(key, terminal) : await signerOf(key);
  const unsigned = { nonce: newCommandId(), ...body, principal_pubkey: principal.publicKey };
  await deliver({ ...unsigned, principal_signature: principal.sign(unsigned) }, out, terminal);
}

async function create({ subject, url, out, flags }: Given, terminal: Terminal): Promise<void> {
  const body = await objectOf(subject);
  if (body['principal_signature'] === undefined && !flags.has('unsigned')) {
    throw new UsageError(
      `${subject} is not signed, so it proves only that somebody posted it. Sign it with mandate sign, or give --unsigned`,
    );
  }
  const answer = await callService(url, '/api/amh/mandate', canonicalJson(body));
  terminal.err('the control token is shown once: it revokes the mandate and approves for it\n');
  await deliver(answer, out, terminal);
}

async function show({ subject, control, url, out }: Given, terminal: Terminal): Promise<void> {
  const answer = await callService(url, pathOf(subject), undefined, await controlHeader(control));
  await deliver(answer, out, terminal);
}

async function revoke({ subject, key, control, url, out }: Given, terminal: Terminal): Promise<void> {
  const path = `${pathOf(subject)}/revoke`;
  if (control !== undefined) {
    return deliver(await callService(url, path, '{}', await controlHeader(control)), out, terminal);
  }
  const principal = await signerOf(key);
  const stated = { nonce: newCommandId(), at: isoTime(systemClock().now()) };
  const principal_signature = principal.sign({ op: 'revoke', mandate_id: subject, ...stated });
  return deliver(await callService(url, path, JSON.stringify({ ...stated, principal_signature })), out, terminal);
}

function pathOf(mandateId: string): string {
  if (!/^mnd_[0-9a-z]{26}$/.test(mandateId)) throw new UsageError('a mandate id is mnd_ and 26 characters');
  return `/api/amh/mandate/${mandateId}`;
}

async function controlHeader(control: string | undefined): Promise<Record<string, string>> {
  if (control === undefined) return {};
  const token = control.startsWith('amhm_') ? control : (await objectOf(control))['control_token'];
  if (typeof token !== 'string') throw new UsageError(`${control} holds no control_token`);
  return { 'x-amh-control': token };
}

/** The principal's key: 32 bytes in base64url in a file of its own. */
async function signerOf(file: string | undefined) {
  return principalOf(await seedOf(keyFile(file)));
}

/** A principal that did not exist before; a key that is there stays as it is. */
async function newSigner(file: string | undefined, terminal: Terminal) {
  const path = keyFile(file);
  const seed = newToken();
  await writeFile(path, `${seed}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `${path} ${error.code === 'EEXIST' ? 'is there already: sign without --new-key' : 'cannot be written'}`,
    );
  });
  terminal.err(`made a new key in ${path}: keep it, whoever has it is the principal\n`);
  return principalOf(seed);
}

function keyFile(file: string | undefined): string {
  if (file === undefined) throw new UsageError('give --key: the file with the seed of the principal');
  return file;
}

/** Signs as the principal whose seed this is: 32 bytes in base64url. */
export function principalOf(seed: string) {
  const privateKey = ed25519PrivateKeyFromSeed(Buffer.from(seed, 'base64url'));
  return {
    publicKey: Buffer.from(ed25519PublicBytes(createPublicKey(privateKey))).toString('base64'),
    sign: (value: object) => Buffer.from(ed25519Sign(privateKey, Buffer.from(canonicalJson(value)))).toString('base64'),
  };
}

async function seedOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist: mandate sign --new-key makes a key' : 'cannot be read';
    throw new UsageError(`${file} ${why}`);
  });
  if (!/^[\w-]{43}\s*$/.test(text)) throw new UsageError(`${file} is no seed: 32 bytes in base64url`);
  return text.trim();
}

async function objectOf(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const value = text === undefined ? undefined : objectIn(text);
  if (value === undefined) throw new UsageError(`${file} cannot be read, or is not a JSON object`);
  return value;
}

async function deliver(value: object, out: string | undefined, terminal: Terminal): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (out === undefined) return terminal.out(text);
  await writeFile(out, text, { flag: 'wx', mode: 0o600 }).catch(() => {
    // What is shown once must not be lost for want of a file.
    terminal.out(text);
    throw new Error(`${out} exists or cannot be written`);
  });
}
