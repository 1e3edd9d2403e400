import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_NULL } from '@ethereumjs/util';
import { hexOf } from '#protocol/payment/hex.ts';
import { keccak256 } from '#protocol/payment/keccak.ts';

interface StoredAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
}

/** What a block changed: the new value of everything that it touched; null where nothing is left. */
export interface StateChanges {
  readonly accounts: Readonly<Record<string, readonly [nonce: string, balance: string] | null>>;
  readonly code: Readonly<Record<string, string>>;
  readonly storage: Readonly<Record<string, string | null>>;
}

type Table = 'accounts' | 'code' | 'storage';
type Undo = readonly [table: Table, key: string, before: unknown];

const EMPTY = new Uint8Array(0);

/**
 * The state of all accounts with a list of what to undo. A checkpoint costs nothing and a revert what it takes back;
 * the package's own simple state copies everything at each call.
 */
export class ChainState implements StateManagerInterface {
  readonly #tables = {
    accounts: new Map<string, StoredAccount>(),
    code: new Map<string, Uint8Array>(),
    storage: new Map<string, Uint8Array>(),
  };
  readonly #codeHashes = new Map<string, Uint8Array>();
  readonly #marks: number[] = [];
  #undo: Undo[] = [];
  #original = new Map<string, Uint8Array>();

  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const slot = slotKey(address, key);
      const known = this.#original.get(slot);
      if (known !== undefined) return known;
      const value = await this.getStorage(address, key);
      this.#original.set(slot, value);
      return value;
    },
    clear: (): void => this.#original.clear(),
  };

  async getAccount(address: Address): Promise<Account | undefined> {
    const stored = this.#tables.accounts.get(address.toString());
    if (stored === undefined) return undefined;
    const codeHash = this.#codeHash(address.toString());
    return new Account(stored.nonce, stored.balance, undefined, codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    const { nonce = 0n, balance = 0n } = account ?? {};
    this.#set('accounts', address.toString(), account === undefined ? undefined : { nonce, balance });
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#set('accounts', address.toString(), undefined);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const { nonce = 0n, balance = 0n } = this.#tables.accounts.get(address.toString()) ?? {};
    const changed = { nonce: fields.nonce ?? nonce, balance: fields.balance ?? balance };
    this.#set('accounts', address.toString(), changed);
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    if (!this.#tables.accounts.has(address.toString())) await this.modifyAccountFields(address, {});
    this.#set('code', address.toString(), code.length === 0 ? undefined : code);
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#tables.code.get(address.toString()) ?? EMPTY;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.#tables.storage.get(slotKey(address, key)) ?? EMPTY;
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#set('storage', slotKey(address, key), value.every((byte) => byte === 0) ? undefined : value);
  }

  async clearStorage(address: Address): Promise<void> {
    // Called for each created contract: its address is new, so the scan runs seldom and finds nothing.
    for (const key of this.#tables.storage.keys()) {
      if (key.startsWith(`${address.toString()}_`)) this.#set('storage', key, undefined);
    }
  }

  async checkpoint(): Promise<void> {
    this.#marks.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    this.#marks.pop();
  }

  async revert(): Promise<void> {
    const mark = this.#marks.pop() ?? 0;
    while (this.#undo.length > mark) {
      const [table, key, before] = this.#undo.pop() as Undo;
      this.#write(table, key, before);
    }
  }

  /** Runs work whose effects are kept only when it returns `keep`; a throw takes everything back. */
  async attempt<T>(work: () => Promise<{ readonly keep: boolean; readonly value: T }>): Promise<T> {
    const depth = this.#marks.length;
    await this.checkpoint();
    let outcome: { readonly keep: boolean; readonly value: T } | undefined;
    try {
      outcome = await work();
      return outcome.value;
    } finally {
      // After a throw inside the machine its own checkpoints are still open.
      while (this.#marks.length > depth) await (outcome?.keep === true ? this.commit() : this.revert());
    }
  }

  /** Everything that changed since `settle`. */
  changes(): StateChanges {
    const { accounts, code, storage } = this.#tables;
    const keysOf = (wanted: Table) => new Set(this.#undo.flatMap(([table, key]) => (table === wanted ? [key] : [])));
    const entries = <T>(table: Table, value: (key: string) => T) =>
      Object.fromEntries(Array.from(keysOf(table), (key) => [key, value(key)]));
    return {
      accounts: entries('accounts', (key) => accountText(accounts.get(key))),
      code: entries('code', (key) => hexOf(code.get(key) ?? EMPTY)),
      storage: entries('storage', (key) => textOrNull(storage.get(key))),
    };
  }

  /** Makes what has changed final. */
  settle(): void {
    this.#undo = [];
  }

  /** Puts the changes of a stored block in place. */
  apply({ accounts, code, storage }: StateChanges): void {
    for (const [key, value] of Object.entries(accounts)) {
      const account = value === null ? undefined : { nonce: BigInt(value[0]), balance: BigInt(value[1]) };
      this.#write('accounts', key, account);
    }
    for (const [key, value] of Object.entries(code)) this.#write('code', key, bytesOrUndefined(value));
    for (const [key, value] of Object.entries(storage)) this.#write('storage', key, bytesOrUndefined(value));
  }

  clearCaches(): void {
    this.#original.clear();
  }

  getStateRoot(): Promise<Uint8Array> {
    throw new Error('the sandbox chain keeps no state tree');
  }

  setStateRoot(): Promise<void> {
    throw new Error('the sandbox chain keeps no state tree');
  }

  hasStateRoot(): Promise<boolean> {
    return Promise.resolve(false);
  }

  shallowCopy(): StateManagerInterface {
    throw new Error('the state of the sandbox chain is not copied');
  }

  #codeHash(address: string): Uint8Array {
    const code = this.#tables.code.get(address);
    if (code === undefined) return KECCAK256_NULL;
    let hash = this.#codeHashes.get(address);
    if (hash === undefined) {
      hash = keccak256(code);
      this.#codeHashes.set(address, hash);
    }
    return hash;
  }

  #set(table: Table, key: string, value: unknown): void {
    this.#undo.push([table, key, this.#tables[table].get(key)]);
    this.#write(table, key, value);
  }

  #write(table: Table, key: string, value: unknown): void {
    const map = this.#tables[table] as Map<string, unknown>;
    if (table === 'code') this.#codeHashes.delete(key);
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
}

function slotKey(address: Address, key: Uint8Array): string {
  return `${address.toString()}_${Buffer.from(key).toString('hex')}`;
}

function accountText(account: StoredAccount | undefined): [string, string] | null {
  return account === undefined ? null : [account.nonce.toString(), account.balance.toString()];
}

function textOrNull(value: Uint8Array | undefined): string | null {
  return value === undefined ? null : hexOf(value);
}

function bytesOrUndefined(text: string | null): Uint8Array | undefined {
  return text === null || text === '0x' ? undefined : Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
}
