import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { verifySealAnswer } from '../../verify/avouch-verify.mjs';
import { KEY_OF_SERVICE } from './checks.ts';
import { idempotencyKeyIn, repeatNote } from './idempotency-key.ts';
import type { Output } from './line/output.ts';
import { InputError, type Run } from './line/spec.ts';
import { callOperation, isOpen, logKeysOf } from './log-client.ts';
import { serviceUrl } from './service-url.ts';
import { type SealBody, sealRequestOf } from './seal-request.ts';

type Answer = Record<string, unknown>;

export const seal: Run = async ({ operands, values, flags }, output) => {
  const [file] = operands as [string];
  const { schema: schemaId, vkey, out = `${file}.seal.json` } = values;
  const key = idempotencyKeyIn(values);
  const url = serviceUrl(values['url'], output.env);
  const request = await requestOf(file, { schemaId, isPublic: flags.has('public') });
  const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
  if (vkey === undefined) output.warn(KEY_OF_SERVICE('--vkey'));
  const answer = await keep(out, () => sealed(url, key, request), output).catch((error: unknown) => {
    if (isOpen(error)) output.note(repeatNote(key, 'sealed'));
    throw error;
  });
  await requireProven(answer, request, vkeys);
  const { attestation_id: id, verdict, code } = answer;
  const judged = [verdict, code].filter((word) => typeof word === 'string').join(' ');
  const isReplayed = isWithoutSeed(answer);
  output.note(`Sealed the ${request.what} of ${file}: ${judged}.`);
  output.note(
    isReplayed
      ? `The same claim was rejected before. ${out} has the proof of that seal, without its disclosure seed.`
      : `Keep ${out} private: its disclosure seed can reveal or erase the claim.`,
  );
  const what = { attestation_id: id, verdict, code, sealed: request.what, proof: out, replayed: isReplayed };
  output.result(what, `${String(id)}\n`);
  return 0;
};

async function requestOf(file: string, choice: Parameters<typeof sealRequestOf>[1]): Promise<SealBody> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch {
    throw new InputError(`Cannot read ${file}.`);
  }
  const request = sealRequestOf(bytes, choice);
  if (request === undefined) throw new InputError(`${file} is not a JSON object. A claim under --schema must be one.`);
  return request;
}

function sealed(url: string, key: string, { body }: SealBody): Promise<Answer> {
  return callOperation(url, 'attest_seal', { idempotency_key: key }, { body });
}

/** The seed is shown once: its file is made before anything is sealed, for this user alone, and never written over. */
async function keep(out: string, call: () => Promise<Answer>, output: Output): Promise<Answer> {
  const handle = await newFile(out);
  try {
    const answer = await call();
    await write(handle, answer, output);
    return answer;
  } catch (error) {
    await rm(out);
    throw error;
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, answer: Answer, output: Output): Promise<void> {
  const text = `${JSON.stringify(answer, null, 2)}\n`;
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    // It was sealed, and there is no second chance to see the seed.
    output.out(text);
    throw error;
  }
}

async function newFile(out: string): Promise<FileHandle> {
  try {
    return await open(out, 'wx', 0o600);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = isThere ? `${out} already exists. Move it away, or pass --out <file>.` : `Cannot write ${out}.`;
    throw new InputError(why);
  }
}

/** The answer stays in its file either way: it is what a complaint would need. */
async function requireProven(answer: Answer, request: SealBody, vkeys: readonly string[]): Promise<void> {
  const { valid, checks } = await verifySealAnswer(answer, vkeys, { ignoreClaim: isWithoutSeed(answer) });
  const failed = checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);
  if (!valid) throw new Error(`The response does not verify (${failed.join('; ')}). Do not use this seal; report it.`);
  if (canonicalJson(answer['claim'] ?? null) !== canonicalJson(request.claim)) {
    throw new Error('The service sealed a different claim. Do not use this seal; report it.');
  }
}

/** An identical reject is answered with the earlier seal, whose seed was shown to whoever sealed it. */
function isWithoutSeed(answer: Answer): boolean {
  return answer['replayed'] === true && answer['disclosure_seed'] === undefined;
}
