import { type Accounts, type ChainAccount, type ChainAnswer, type Edr, startEdr } from './edr.ts';
import { SANDBOX_CHAIN_ID, withSandboxCode } from './sandbox-contracts.ts';

const DIFFERENCE = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };

/** The state after a block: what a chain begins with, and what old changes become when their file is cut. */
export interface Base {
  readonly instance: string;
  readonly number: number;
  readonly seconds: number;
  readonly accounts: Accounts;
}

/** A transaction, a block of that time, or the one and then the other. */
export interface Change {
  readonly raw?: unknown;
  readonly seconds?: number;
}

export type ChainLine = Base | Change;

interface Block {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

export function isBase(line: ChainLine | undefined): line is Base {
  return line !== undefined && 'accounts' in line;
}

/** The chain of which the lines tell, with the contracts of today. Only the first base counts. */
export async function replayed([base, ...later]: readonly ChainLine[]): Promise<Edr> {
  if (!isBase(base)) throw new Error('the file of the sandbox chain does not begin with a state');
  const edr = await startEdr(SANDBOX_CHAIN_ID, base.seconds, withSandboxCode(base.accounts));
  await edr('evm_setNextBlockTimestamp', [base.seconds]);
  if (base.number > 0) await edr('hardhat_mine', [quantity(base.number), '0x0']);
  for (const line of later) if (!isBase(line)) await make(edr, line);
  return edr;
}

/** What is refused changes nothing, and is refused again whenever it is made again. */
export async function make(edr: Edr, { raw, seconds }: Change): Promise<ChainAnswer> {
  const answer: ChainAnswer = raw === undefined ? { result: '0x0' } : await edr('eth_sendRawTransaction', [raw]);
  if (seconds !== undefined && answer.error === undefined) await edr('evm_mine', [seconds]);
  return answer;
}

/** The state of now, of a chain that had the state of the base: what each transaction since then has changed. */
export async function stateSince(edr: Edr, base: Base): Promise<Base> {
  const block = async (number: string) => (await edr('eth_getBlockByNumber', [number, false])).result as Block;
  const accounts = structuredClone(base.accounts) as Record<string, ChainAccount>;
  const head = await block('latest');
  for (let number = base.number + 1; number <= Number(head.number); number++) {
    for (const hash of (await block(quantity(number))).transactions) {
      const { result } = await edr('debug_traceTransaction', [hash, DIFFERENCE]);
      takeOver(accounts, result as Readonly<Record<'pre' | 'post', Accounts>>);
    }
  }
  return { ...base, number: Number(head.number), seconds: Number(head.timestamp), accounts };
}

function takeOver(
  accounts: Record<string, ChainAccount>,
  { pre, post }: Readonly<Record<'pre' | 'post', Accounts>>,
): void {
  for (const address of Object.keys({ ...pre, ...post })) {
    const { storage, ...fields } = post[address] ?? {};
    const account = Object.assign((accounts[address] ??= {}), fields);
    account.storage ??= {};
    for (const slot of Object.keys(pre[address]?.storage ?? {})) delete account.storage[slot];
    Object.assign(account.storage, storage);
  }
}

function quantity(number: number): string {
  return `0x${number.toString(16)}`;
}
