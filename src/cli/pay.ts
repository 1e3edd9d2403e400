import { parseMicro } from '#kernel/money.ts';
import { idempotencyKeyIn } from './idempotency-key.ts';
import { type Given, type Run, UsageError } from './line/spec.ts';
import { httpAddress, objectIn } from './log-client.ts';
import type { PayArguments } from './purchase.ts';

export const pay: Run = async ({ operands, values, flags }, output) => {
  const [address] = operands as [string];
  const asked = payArguments(httpAddress(address), values, flags.has('dry-run'));
  // Loaded only when it is used: of all commands only this one reads challenges and signs.
  const { purchase } = await import('./purchase.ts');
  const steps: Record<string, string> = {};
  const tell = (step: string, text: string) => {
    steps[step.replaceAll(' ', '_')] = text;
    output.line(`${step}: ${text}`);
  };
  const { isGood, answer } = await purchase(asked, { tell, output });
  const response = answer === undefined ? null : (objectIn(answer.text) ?? answer.text);
  output.result({ ok: isGood, ...steps, response }, answer === undefined ? '' : `${answer.text}\n`);
  return isGood ? 0 : 1;
};

/** How much may be paid, by whom, and under which key: what the options do not say is as for any purchase. */
export function payArguments(url: URL, values: Given['values'], isDryRun: boolean): PayArguments {
  return {
    url,
    maxAtomic: amountOf('--max', values['max'] ?? '0.05'),
    dailyMaxAtomic: amountOf('--daily-max', values['daily-max'] ?? '1'),
    keyFile: values['key'],
    isDryRun,
    idempotencyKey: idempotencyKeyIn(values),
  };
}

function amountOf(name: string, text: string): bigint {
  const atomic = parseMicro(text);
  if (atomic === null) throw new UsageError(`${name} must be an amount of USDC such as 0.05.`);
  return BigInt(atomic);
}
