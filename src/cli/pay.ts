import { parseArgs } from 'node:util';
import { newToken } from '#kernel/ids.ts';
import { parseMicro } from '#kernel/money.ts';
import { type Command, UsageError } from './command.ts';
import type { PayArguments } from './purchase.ts';

const USAGE_ERROR = 'pay takes an address, and --max, --daily-max, --key, --dry-run or --idempotency-key';

export const pay: Command = {
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
    return purchase(asked, terminal);
  },
};

function argumentsOf(args: readonly string[]): PayArguments {
  const text = { type: 'string' } as const;
  const options = {
    max: text,
    'daily-max': text,
    key: text,
    'idempotency-key': text,
    'dry-run': { type: 'boolean' },
  } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true; args: string[] }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE_ERROR);
  }
  const [address, ...more] = parsed.positionals;
  if (address === undefined || more.length > 0) throw new UsageError(USAGE_ERROR);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError('the url must begin with http');
  const { values } = parsed;
  const idempotencyKey = values['idempotency-key'] ?? newToken();
  if (!/^[\x21-\x7e]{16,255}$/.test(idempotencyKey)) {
    throw new UsageError('--idempotency-key takes 16 to 255 visible ASCII characters');
  }
  return {
    url,
    maxAtomic: amountOf('--max', values.max ?? '0.05'),
    dailyMaxAtomic: amountOf('--daily-max', values['daily-max'] ?? '1'),
    keyFile: values.key,
    isDryRun: values['dry-run'] ?? false,
    idempotencyKey,
  };
}

function amountOf(name: string, text: string): bigint {
  const atomic = parseMicro(text);
  if (atomic === null) throw new UsageError(`${name} takes an amount of USDC such as 0.05`);
  return BigInt(atomic);
}
