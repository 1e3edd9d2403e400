import { createPublicKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes, ed25519Sign } from '#protocol/ed25519.ts';
import { isoTime, systemClock } from '#kernel/clock.ts';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { callOperation, objectIn, serviceUrl } from './log-client.ts';

const USAGE_ERROR =
  'mandate takes sign <file> --key <seed file> [--new-key] [--platform <ids>] | create <file> [--unsigned] [--platform <ids> | --open] | narrow <id> --platform <ids> | void <id> --platform <id> | revoke <id> | show <id>, and --key, --control, --url, --out';

interface Given {
  readonly subject: string;
  readonly key: string | undefined;
  /** Token text of the mandate, or the file that holds the answer of its creation. */
  readonly control: string | undefined;
  /** Ids of platforms. */
  readonly platforms: readonly string[];
  readonly url: string;
  readonly out: string | undefined;
  readonly flags: ReadonlySet<string>;
}

/** The principal's side of the handshake; the private key never leaves this machine. */
const ACTIONS: Readonly<Record<string, (given: Given, terminal: Terminal) => Promise<void>>> = {
  sign,
  create,
  narrow,
  void: voidPlatform,
  revoke,
  show,
};

export const mandateCommand: Command = {
  name: 'mandate',
  summary: 'sign, create, narrow, void, revoke or show what an agent may commit for its principal',
  usage:
    'mandate sign <file> --key <seed file> [--new-key] [--platform <id,id>] [--out <file>] | create <file> [--unsigned] [--platform <id,id> | --open] [--out <file>] | narrow <mandate id> --platform <id,id> (--control <file> | --key <seed file>) | void <mandate id> --platform <id> (--control <file> | --key <seed file>) | revoke <mandate id> (--control <file> | --key <seed file>) | show <mandate id> [--control <file>] [--url <url>]',
  examples: [
    './avouch mandate sign mandate.json --key principal.seed --new-key --platform plt_0123456789abcdefghjkmnpqrs --out signed.json',
    './avouch mandate create signed.json --out mandate-answer.json',
    './avouch mandate show mnd_0123456789abcdefghjkmnpqrs --control mandate-answer.json',
    './avouch mandate narrow mnd_0123456789abcdefghjkmnpqrs --platform plt_0123456789abcdefghjkmnpqrs --control mandate-answer.json',
    './avouch mandate void mnd_0123456789abcdefghjkmnpqrs --platform plt_0123456789abcdefghjkmnpqrt --control mandate-answer.json',
    './avouch mandate revoke mnd_0123456789abcdefghjkmnpqrs --key principal.seed',
  ],
  async run(args, terminal) {
    const taken = { values: ['key', 'control', 'platform', 'url', 'out'], flags: ['new-key', 'unsigned', 'open'] };
    const { positionals, values, flags } = givenArguments(args, taken, USAGE_ERROR);
    const [name, subject, ...more] = positionals;
    const action = name === undefined ? undefined : ACTIONS[name];
    if (action === undefined || subject === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
    const { key, control, platform, out } = values;
    const platforms = platform === undefined ? [] : platform.split(',');
    const url = serviceUrl(values['url'], terminal.env);
    await action({ subject, key, control, platforms, out, flags, url }, terminal);
    return 0;
  },
};

async function sign({ subject, key, platforms, out, flags }: Given, terminal: Terminal): Promise<void> {
  const { principal_signature: _, ...body } = await objectOf(subject);
  const principal = flags.has('new-key') ? await newSigner(key, terminal) : await signerOf(key);
  const unsigned = {
    nonce: newCommandId(),
    ...body,
    ...(platforms.length > 0 && { platforms }),
    principal_pubkey: principal.publicKey,
  };
  await deliver({ ...unsigned, principal_signature: principal.sign(unsigned) }, out, terminal);
}

async function create({ subject, platforms, url, out, flags }: Given, terminal: Terminal): Promise<void> {
  const given = await objectOf(subject);
  const isSigned = given['principal_signature'] !== undefined;
  if (!isSigned && !flags.has('unsigned')) {
    throw new UsageError(
      `${subject} is not signed, so it proves only that somebody posted it. Sign it with mandate sign, or give --unsigned`,
    );
  }
  if (isSigned && platforms.length > 0) {
    throw new UsageError(`${subject} is signed and cannot be changed: give --platform to mandate sign`);
  }
  const body = platforms.length > 0 ? { ...given, platforms } : given;
  if (body['platforms'] === undefined && body['agent_pubkey'] === undefined && !flags.has('open')) {
    throw new UsageError(
      `every platform that learns the id of this mandate could use it up. Name who may with --platform${isSigned ? ' when you sign it' : ''}, put agent_pubkey into ${subject}, or give --open`,
    );
  }
  const answer = await callOperation(url, 'amh_mandate', body);
  terminal.err('the control token is shown once: it narrows, voids and revokes the mandate and approves for it\n');
  await deliver(answer, out, terminal);
}

async function show({ subject, control, url, out }: Given, terminal: Terminal): Promise<void> {
  const asked = { mandate_id: mandateId(subject), control_token: await controlToken(control) };
  const answer = await callOperation(url, 'amh_mandate_view', asked);
  await deliver(answer, out, terminal);
}

async function revoke(given: Given, terminal: Terminal): Promise<void> {
  await deliver(await asPrincipal(given, 'revoke', {}), given.out, terminal);
}

async function narrow(given: Given, terminal: Terminal): Promise<void> {
  if (given.platforms.length === 0) throw new UsageError('give --platform: the platforms that may use the mandate');
  await deliver(await asPrincipal(given, 'narrow', { platforms: given.platforms }), given.out, terminal);
}

/** All that the platform took, however many calls that needs. */
async function voidPlatform(given: Given, terminal: Terminal): Promise<void> {
  const [platform_id, ...others] = given.platforms;
  if (platform_id === undefined || others.length > 0) {
    throw new UsageError('give --platform: the one platform whose holds and commits are void');
  }
  const answers: object[] = [];
  for (let isMore = true; isMore; ) {
    const answer = await asPrincipal(given, 'void', { platform_id });
    answers.push(answer);
    isMore = answer['more'] === true;
  }
  const [only] = answers;
  await deliver(answers.length === 1 && only !== undefined ? only : answers, given.out, terminal);
}

/** A call that only the principal may make: by the control token, or by a signature over exactly this. */
async function asPrincipal(
  { subject, key, control, url }: Given,
  op: 'revoke' | 'narrow' | 'void',
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const mandate_id = mandateId(subject);
  const control_token = await controlToken(control);
  if (control_token !== undefined)
    return callOperation(url, `amh_mandate_${op}`, { mandate_id, ...body, control_token });
  const principal = await signerOf(key);
  const stated = { mandate_id, ...body, nonce: newCommandId(), at: isoTime(systemClock().now()) };
  const principal_signature = principal.sign({ op, ...stated });
  return callOperation(url, `amh_mandate_${op}`, { ...stated, principal_signature });
}

function mandateId(given: string): string {
  if (!/^mnd_[0-9a-z]{26}$/.test(given)) throw new UsageError('a mandate id is mnd_ and 26 characters');
  return given;
}

async function controlToken(control: string | undefined): Promise<string | undefined> {
  if (control === undefined) return undefined;
  const token = control.startsWith('amhm_') ? control : (await objectOf(control))['control_token'];
  if (typeof token !== 'string') throw new UsageError(`${control} holds no control_token`);
  return token;
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
