import { readFile } from 'node:fs/promises';
import type { OperationId } from '../../client/outcome.ts';
import { newToken } from '#kernel/ids.ts';
import { optionOf } from './line/field-problems.ts';
import { type Given, InputError, type Run, UsageError } from './line/spec.ts';
import { callOperation, objectIn } from './log-client.ts';
import { serviceUrl } from './service-url.ts';
import { fieldsGiven } from './operation-members.ts';

type Members = Record<string, unknown>;

export const claim: Run = async (given, output) => {
  const { operands, values, flags } = given;
  const file = values['refresh'];
  if (file !== undefined && operands.length > 0)
    throw new UsageError('--refresh takes no work key: the file names it.');
  const asked = file === undefined ? keysIn(operands) : await leaseIn(file);
  const yes = Object.fromEntries([...flags].filter((name) => name !== 'json').map((name) => [name, 'yes']));
  const members = { ...fieldsGiven('claim', given), ...asked, ...yes };
  const answer = await called('claim', members, { values, output });
  // The caller made the token, so the service does not show it.
  output.out(`${JSON.stringify(withToken(answer, asked.token), null, 2)}\n`);
  return 0;
};

export const release: Run = async (given, output) => {
  const { operands, values } = given;
  const { lease, token } = await leaseIn(operands[0] as string);
  const answer = await called('release', { ...fieldsGiven('release', given), lease, token }, { values, output });
  output.out(`${JSON.stringify(answer, null, 2)}\n`);
  return 0;
};

export const mark: Run = async (given, output) => {
  const { operands, values } = given;
  const { lease, token } = values['lease'] === undefined ? {} : await leaseIn(values['lease']);
  const shown = lease === undefined ? {} : { lease, token };
  const { lease: _, ...members } = fieldsGiven('mark', given);
  const answer = await called('mark', { ...members, key: operands[0], ...shown }, { values, output });
  output.out(`${JSON.stringify(answer, null, 2)}\n`);
  return 0;
};

function called(
  id: OperationId,
  members: Members,
  { values, output }: { readonly values: Given['values']; readonly output: Parameters<Run>[1] },
): Promise<Members> {
  const nameOf = (field: string) => (field === 'key' ? '<work key>' : optionOf(field));
  return callOperation(serviceUrl(values['url'], output.env), id, members, { nameOf });
}

/** A token of its own makes it safe to send the same claim again. */
function keysIn(keys: readonly string[]): { key: unknown; token: string } {
  if (keys.length === 0) throw new UsageError('Missing <work key>, or --refresh <file> to renew a lease.');
  return { key: keys.length === 1 ? keys[0] : keys, token: newToken() };
}

/** What the service must be shown of a lease that was printed into a file. */
async function leaseIn(file: string): Promise<{ key: unknown; lease: unknown; token: string }> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new InputError(`Cannot read ${file}.`);
  });
  const { key, lease, token } = objectIn(text) ?? {};
  if (typeof lease !== 'string' || typeof token !== 'string') {
    throw new InputError(`${file} does not contain a lease and its token. Use the output of \`avouch claim\`.`);
  }
  return { key, lease, token };
}

function withToken(answer: Members, token: string): Members {
  const leases = answer['leases'] as Members[] | undefined;
  return leases === undefined ? { ...answer, token } : { ...answer, leases: leases.map((one) => ({ ...one, token })) };
}
