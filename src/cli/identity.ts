import { readFile, writeFile } from 'node:fs/promises';
import { systemClock } from '#kernel/clock.ts';
import { ed25519PrivateKeyFromSeed } from '#protocol/ed25519.ts';
import { thumbprint } from '#protocol/http-signature/public-key.ts';
import { directoryDocument, signedHeaders } from '#protocol/http-signature/signing.ts';
import { DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH } from '#protocol/http-signature/web-bot-auth.ts';
import { InputError, type Run, UsageError } from './line/spec.ts';
import { createSeedFile, readSeedFile } from './seed-file.ts';

const LABEL = 'sig1';

const keyOf = (seed: string) => ed25519PrivateKeyFromSeed(Buffer.from(seed, 'base64url'));

/** A key and the directory in which its owner publishes it. */
export const keygen: Run = async ({ operands }, output) => {
  const [file] = operands as [string];
  const key = keyOf(await createSeedFile(file, 'choose another file'));
  const directory = directoryDocument([key]);
  output.note(`Created a new key in ${file}. Keep it private: anyone with it can sign as you.`);
  output.note(`Serve this JSON at ${DIRECTORY_PATH} of your origin, as ${DIRECTORY_MEDIA_TYPE}.`);
  output.result({ file, keyid: thumbprint(key), directory }, `${JSON.stringify(directory)}\n`);
  return 0;
};

/** The headers that sign one request. */
export const sign: Run = async ({ operands, values }, output) => {
  const [address] = operands as [string];
  const { key: file = '', agent = '', method = 'GET', body, seconds = '60', out } = values;
  const url = URL.parse(address);
  if (url === null) throw new UsageError(`${address} is not a URL.`);
  const origin = URL.parse(agent)?.origin;
  if (origin === undefined || !origin.startsWith('https:'))
    throw new UsageError(`--agent ${agent} is not an https origin.`);
  const key = keyOf(await readSeedFile(file, 'avouch identity keygen'));
  const bytes = body === undefined ? undefined : await bytesOf(body);
  const headers = signedHeaders(
    { method: method.toUpperCase(), url, ...(bytes !== undefined && { body: bytes }) },
    { key, keyid: thumbprint(key), origin, label: LABEL },
    { nowMs: systemClock().now(), seconds: Number(seconds) },
  );
  const lines = Object.entries(headers).map(([name, value]) => `${capitalised(name)}: ${value}\n`);
  if (out === undefined) output.result(headers, lines.join(''));
  else {
    await writeFile(out, lines.join('')).catch(() => {
      throw new InputError(`Cannot write ${out}.`);
    });
  }
  return 0;
};

async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new InputError(`Cannot read ${file}.`);
  });
}

function capitalised(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
