import { createPublicKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { inspectAp2 } from '#areas/mandates/ap2/inspect.ts';
import { newCommandId } from '#kernel/ids.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes, ed25519Sign } from '#protocol/ed25519.ts';
import { isoTime, systemClock } from '#kernel/clock.ts';
import { Ap2Error } from '#protocol/ap2/ap2-error.ts';
import type { Output } from './line/output.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { callOperation, objectIn } from './log-client.ts';
import { createSeedFile, readSeedFile } from './seed-file.ts';
import { serviceUrl } from './service-url.ts';

interface MandateCall {
  readonly subject: string;
  readonly key: string | undefined;
  /** Token text of the mandate, or the file that holds the response of its creation. */
  readonly control: string | undefined;
  /** Ids of platforms. */
  readonly platforms: readonly string[];
  readonly url: () => string;
  readonly out: string | undefined;
  readonly flags: ReadonlySet<string>;
}

/** The principal's side of the handshake; the private key never leaves this machine. */
export const ACTIONS = {
  keygen: runs(keygen),
  sign: runs(sign),
  create: runs(create),
  narrow: runs(narrow),
  void: runs(voidPlatform),
  revoke: runs(revoke),
  show: runs(show),
  ap2: inspect,
} satisfies Readonly<Record<string, Run>>;

function runs(action: (given: MandateCall, output: Output) => Promise<void>): Run {
  return async ({ operands, values, flags }, output) => {
    const [subject] = operands as [string];
    const { key, control, platform, out } = values;
    const platforms = platform === undefined ? [] : platform.split(',');
    const url = () => serviceUrl(values['url'], output.env);
    await action({ subject, key, control, platforms, out, flags, url }, output);
    return 0;
  };
}

async function keygen({ subject }: MandateCall, output: Output): Promise<void> {
  const { publicKey } = await newSigner(subject, output);
  output.result({ file: subject, public_key: publicKey }, `${publicKey}\n`);
}

async function sign({ subject, key, platforms, out, flags }: MandateCall, output: Output): Promise<void> {
  const { principal_signature: _, ...body } = await objectOf(subject);
  const file = keyFile(key);
  const principal = flags.has('new-key') ? await newSigner(file, output) : await signerOf(file);
  const unsigned = {
    nonce: newCommandId(),
    ...body,
    ...(platforms.length > 0 && { platforms }),
    principal_pubkey: principal.publicKey,
  };
  await deliver({ ...unsigned, principal_signature: principal.sign(unsigned) }, out, output);
}

async function create({ subject, platforms, url, out, flags }: MandateCall, output: Output): Promise<void> {
  const given = await objectOf(subject);
  const isSigned = given['principal_signature'] !== undefined;
  if (!isSigned && !flags.has('unsigned')) {
    throw new UsageError(
      `${subject} is not signed, so it proves nothing about who created it. Sign it with \`avouch mandate sign\`, or pass --unsigned.`,
    );
  }
  if (isSigned && platforms.length > 0) {
    throw new UsageError(
      `${subject} is signed and cannot be changed. Pass --platform to \`avouch mandate sign\` instead.`,
    );
  }
  const body = platforms.length > 0 ? { ...given, platforms } : given;
  if (body['platforms'] === undefined && body['agent_pubkey'] === undefined && !flags.has('open')) {
    throw new UsageError(
      `Every platform that learns this mandate's id could use it up. Name the platforms with --platform${isSigned ? ' when you sign it' : ''}, put agent_pubkey into ${subject}, or pass --open.`,
    );
  }
  if (!isSigned) output.warn('This mandate is unsigned. It proves nothing about who created it.');
  const answer = await callOperation(url(), 'amh_mandate', body);
  output.note(
    'The control token is shown once. It narrows, voids and revokes the mandate, and approves actions for it.',
  );
  await deliver(answer, out, output);
}

async function show({ subject, control, url, out }: MandateCall, output: Output): Promise<void> {
  const asked = { mandate_id: mandateId(subject), control_token: await controlToken(control) };
  const answer = await callOperation(url(), 'amh_mandate_view', asked);
  await deliver(answer, out, output);
}

async function revoke(given: MandateCall, output: Output): Promise<void> {
  await deliver(await asPrincipal(given, 'revoke', {}), given.out, output);
}

async function narrow(given: MandateCall, output: Output): Promise<void> {
  await deliver(await asPrincipal(given, 'narrow', { platforms: given.platforms }), given.out, output);
}

/** Checks an AP2 mandate offline, and says what an import would make of it. */
async function inspect({ operands, values }: Parameters<Run>[0], output: Output): Promise<number> {
  const [file] = operands as [string];
  const { 'user-jwk': jwkFile } = values;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`Cannot read ${file}.`);
  });
  const userJwk = jwkFile === undefined ? undefined : await objectOf(jwkFile);
  try {
    const found = inspectAp2(text.trim(), userJwk, systemClock().now());
    output.out(`${JSON.stringify(found, null, 2)}\n`);
    if (userJwk === undefined) output.warn('The signature of the user was not checked. Pass --user-jwk <file>.');
    const { user_signature: signature, closed } = found;
    return [signature, closed?.signatures, closed?.bindings, closed?.constraints].includes('fail') ? 1 : 0;
  } catch (error) {
    if (error instanceof Ap2Error) throw new InputError(`${error.code}: ${error.message}`);
    throw error;
  }
}

/** All that the platform took, however many calls that needs. */
async function voidPlatform(given: MandateCall, output: Output): Promise<void> {
  const [platform_id, ...others] = given.platforms;
  if (platform_id === undefined || others.length > 0) {
    throw new UsageError('--platform takes one platform here: the one whose holds and commits are void.');
  }
  const answers: object[] = [];
  for (let isMore = true; isMore; ) {
    const answer = await asPrincipal(given, 'void', { platform_id });
    answers.push(answer);
    isMore = answer['more'] === true;
  }
  const [only] = answers;
  await deliver(answers.length === 1 && only !== undefined ? only : answers, given.out, output);
}

/** A call that only the principal may make: by the control token, or by a signature over exactly this. */
async function asPrincipal(
  { subject, key, control, url }: MandateCall,
  op: 'revoke' | 'narrow' | 'void',
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const mandate_id = mandateId(subject);
  const control_token = await controlToken(control);
  if (control_token !== undefined)
    return callOperation(url(), `amh_mandate_${op}`, { mandate_id, ...body, control_token });
  if (key === undefined) throw new UsageError(`Missing --control <file>, or --key <file>: the principal's seed file.`);
  const principal = await signerOf(key);
  const stated = { mandate_id, ...body, nonce: newCommandId(), at: isoTime(systemClock().now()) };
  const principal_signature = principal.sign({ op, ...stated });
  return callOperation(url(), `amh_mandate_${op}`, { ...stated, principal_signature });
}

function mandateId(given: string): string {
  if (!/^mnd_[0-9a-z]{26}$/.test(given))
    throw new UsageError(`${JSON.stringify(given)} is not a mandate id: mnd_ and 26 characters.`);
  return given;
}

async function controlToken(control: string | undefined): Promise<string | undefined> {
  if (control === undefined) return undefined;
  const token = control.startsWith('amhm_') ? control : (await objectOf(control))['control_token'];
  if (typeof token !== 'string')
    throw new InputError(`${control} does not contain a control_token. Use the output of \`avouch mandate create\`.`);
  return token;
}

/** The principal's key: 32 bytes in base64url in a file of its own. */
async function signerOf(file: string) {
  return principalOf(await readSeedFile(file, 'avouch mandate keygen'));
}

/** A principal that did not exist before; a key that is there stays as it is. */
async function newSigner(path: string, output: Output) {
  const seed = await createSeedFile(path, 'choose another file, or sign without --new-key');
  output.note(`Created a new key in ${path}. Keep it private: anyone with it can act as the principal.`);
  return principalOf(seed);
}

function keyFile(file: string | undefined): string {
  if (file === undefined) throw new UsageError("Missing --key <file>: the principal's seed file.");
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

async function objectOf(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`Cannot read ${file}.`);
  });
  const value = objectIn(text);
  if (value === undefined) throw new InputError(`${file} is not a JSON object.`);
  return value;
}

async function deliver(value: object, out: string | undefined, output: Output): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (out === undefined) return output.out(text);
  await writeFile(out, text, { flag: 'wx', mode: 0o600 }).catch(() => {
    // What is shown once must not be lost for want of a file.
    output.out(text);
    throw new InputError(`${out} exists already or cannot be written. The result is on standard output instead.`);
  });
  return undefined;
}
