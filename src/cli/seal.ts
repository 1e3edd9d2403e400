import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { verifySealAnswer } from '../../verify/avouch-verify.mjs';
import { givenArguments } from './arguments.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { callOperation, logKeysOf, serviceUrl } from './log-client.ts';
import { type SealBody, sealRequestOf } from './seal-request.ts';

type Answer = Record<string, unknown>;

const SEEDED = 'whoever has the disclosure seed can show or erase the claim: it is with the proof in';
const REPLAYED = 'the same claim was rejected before: the proof of that seal, without its seed, is in';
const USAGE_ERROR = 'seal takes a file, and --schema, --public, --url, --vkey, --out';

export const sealCommand: Command = {
  name: 'seal',
  summary: 'seal a claim in JSON, or the SHA-256 of any other file, and keep the proof',
  usage: 'seal <file> [--schema <schema id>] [--public] [--url <url>] [--vkey <vkey>] [--out <file>]',
  examples: [
    './avouch seal contract.pdf',
    './avouch seal claim.json --schema vat.vies.v1 --url https://attest.example --out vat.seal.json',
  ],
  async run(args, terminal) {
    const { file, schemaId, isPublic, url: given, vkey, out } = argumentsOf(args);
    const url = serviceUrl(given, terminal.env);
    const request = await requestOf(file, { schemaId, isPublic });
    const vkeys = vkey === undefined ? await logKeysOf(url) : [vkey];
    if (vkey === undefined) terminal.err('the key comes from the service itself: compare it with one you trust\n');
    const answer = await keep(out, () => callOperation(url, 'attest_seal', {}, request.body), terminal);
    await requireProven(answer, request, vkeys);
    const { attestation_id: id, verdict, code } = answer;
    const judged = [verdict, code].filter((word) => typeof word === 'string').join(' ');
    terminal.err(`sealed the ${request.what} of ${file}: ${judged}
`);
    terminal.err(`${isWithoutSeed(answer) ? REPLAYED : SEEDED} ${out}\n`);
    terminal.out(`${String(id)}\n`);
    return 0;
  },
};

function argumentsOf(args: readonly string[]) {
  const taken = { values: ['schema', 'url', 'vkey', 'out'], flags: ['public'] };
  const { positionals, values, flags } = givenArguments(args, taken, USAGE_ERROR);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
  const { schema: schemaId, url, vkey, out = `${file}.seal.json` } = values;
  return { file, schemaId, isPublic: flags.has('public'), url, vkey, out };
}

async function requestOf(file: string, choice: Parameters<typeof sealRequestOf>[1]): Promise<SealBody> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
  const request = sealRequestOf(bytes, choice);
  if (request === undefined) throw new UsageError(`${file} is not a JSON object, as a claim under a schema is`);
  return request;
}

/** The seed is shown once: its file is made before anything is sealed, for this user alone, and never written over. */
async function keep(out: string, call: () => Promise<Answer>, terminal: Terminal): Promise<Answer> {
  const handle = await newFile(out);
  try {
    const answer = await call();
    await write(handle, answer, terminal);
    return answer;
  } catch (error) {
    await rm(out);
    throw error;
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, answer: Answer, terminal: Terminal): Promise<void> {
  const text = `${JSON.stringify(answer, null, 2)}\n`;
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    // It was sealed, and there is no second chance to see the seed.
    terminal.out(text);
    throw error;
  }
}

async function newFile(out: string): Promise<FileHandle> {
  try {
    return await open(out, 'wx', 0o600);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError(isThere ? `${out} exists: move it away or give --out` : `${out} cannot be written`);
  }
}

/** The answer stays in its file either way: it is what a complaint would need. */
async function requireProven(answer: Answer, request: SealBody, vkeys: readonly string[]): Promise<void> {
  const { valid, checks } = await verifySealAnswer(answer, vkeys, { ignoreClaim: isWithoutSeed(answer) });
  const failed = checks.filter(({ ok }) => ok === false).map(({ name, detail }) => `${name}: ${detail}`);
  if (!valid) throw new Error(`the answer of the service does not verify: ${failed.join('; ')}`);
  if (canonicalJson(answer['claim'] ?? null) !== canonicalJson(request.claim)) {
    throw new Error('the service sealed another claim than the one that was sent');
  }
}

/** An identical reject is answered with the earlier seal, whose seed was shown to whoever sealed it. */
function isWithoutSeed(answer: Answer): boolean {
  return answer['replayed'] === true && answer['disclosure_seed'] === undefined;
}
