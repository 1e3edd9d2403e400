import type { Option } from '../line/spec.ts';

/** Options of a purchase: `pay` and every paid `call` have them. */
export const PAY_OPTIONS: readonly Option[] = [
  { name: 'max', value: '<USDC>', help: 'Most that this call may cost', fallback: '0.05' },
  { name: 'daily-max', value: '<USDC>', help: 'Most that one UTC day may cost, over all payments', fallback: '1' },
  {
    name: 'key',
    value: '<file>',
    help: 'File with the private key that pays (0x and 64 hex digits)',
    fallback: "the sandbox buyer's key in DATA_DIR, which holds test money only",
  },
  { name: 'dry-run', help: 'Show the price and check the offer. Signs and pays nothing' },
  {
    name: 'idempotency-key',
    value: '<key>',
    help: 'Repeat an earlier payment under its key: it is charged at most once. 16 to 255 visible ASCII characters',
    fallback: 'a new random key',
  },
];
