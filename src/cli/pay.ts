import { newToken } from '#kernel/ids.ts';
import { parseMicro } from '#kernel/money.ts';
import { type GivenArguments, givenArguments } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { httpAddress } from './log-client.ts';
import type { PayArguments } from './purchase.ts';

const USAGE_ERROR = 'pay takes an address, and --max, --daily-max, --key, --dry-run or --idempotency-key';

export const payCommand: Command = {
  name: 'pay',
  summary: 'pay for a call by x402 and check what comes back',
  usage: 'pay <url> [--max <usdc>] [--daily-max <usdc>] [--key <file>] [--dry-run] [--idempotency-key <key>]',
  examples: [
    "./avouch pay 'http://127.0.0.1:8402/v1/eu-vat-check?vat_number=NL123456789B01'",
    "./avouch pay 'https://avouch.example/v1/eu-vat-check?vat_number=NL1' --max 0.01 --key buyer.key --dry-run",
  ],
  async run(args, terminal) {
    const asked = argumentsOf(args);
    // Loaded only when it is used: of all commands only this one reads challenges and signs.
    const { purchase } = await import('./purchase.ts');
    const { isGood, answer } = await purchase(asked, terminal);
    if (answer !== undefined) terminal.out(`${answer.text}\n`);
    return isGood ? 0 : 1;
  },
};

function argumentsOf(args: readonly string[]): PayArguments {
  const taken = { values: ['max', 'daily-max', 'key', 'idempotency-key'], flags: ['dry-run'] };
  const { positionals, values, flags } = givenArguments(args, taken, USAGE_ERROR);
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
  return payArguments(httpAddress(address), values, flags.has('dry-run'));
}

/** How much may be paid, by whom, and under which key: what the options do not say is as for any purchase. */
export function payArguments(url: URL, values: GivenArguments['values'], isDryRun: boolean): PayArguments {
  const idempotencyKey = values['idempotency-key'] ?? newToken();
  if (!/^[\x21-\x7e]{16,255}$/.test(idempotencyKey)) {
    throw new UsageError('--idempotency-key takes 16 to 255 visible ASCII characters');
  }
  return {
    url,
    maxAtomic: amountOf('--max', values['max'] ?? '0.05'),
    dailyMaxAtomic: amountOf('--daily-max', values['daily-max'] ?? '1'),
    keyFile: values['key'],
    isDryRun,
    idempotencyKey,
  };
}

function amountOf(name: string, text: string): bigint {
  const atomic = parseMicro(text);
  if (atomic === null) throw new UsageError(`${name} takes an amount of USDC such as 0.05`);
  return BigInt(atomic);
}
