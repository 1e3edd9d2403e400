// Every example of every operation as a real call: with the ids and keys that earlier calls gave.
import { coseKeyThumbprint } from '#protocol/cose-receipt.ts';
import assert from 'node:assert/strict';
import { type Operation, pathFields } from '#kernel/operation.ts';
import { OPERATIONS } from '../../src/areas.ts';
import { cookieOf, loggedIn, type LoggedIn, loginMails, registered, requestLink } from '../support/cabinet.ts';
import type { Answer } from '../support/client.ts';
import type { PaidService } from '../support/paid-service.ts';
import { sessionOf } from '../support/topup.ts';
import { fund } from '../support/wallet.ts';

export type Row = Record<string, unknown>;

/** Examples that are not called here, and why. */
export const NOT_CALLED: Readonly<Record<string, string>> = {
  attest_stream: 'a stream without end: operations/attest_stream.test.ts',
  log_witnessed_checkpoint: 'needs a witness: operations/log_witnessed_checkpoint.test.ts',
  stripe_webhook: 'is signed by the card processor: operations/stripe_webhook.test.ts',
  sandbox_faucet: 'needs the local chain: operations/sandbox_faucet.test.ts',
  page_asset: 'its name holds a digest: operations/page_asset.test.ts',
  sandbox_balance: 'needs the local chain: operations/sandbox_balance.test.ts',
};

/** They end what the others need. */
const LAST = ['cabinet_session_end', 'cabinet_account_delete'];

/** The rows whose examples are called, in an order in which each finds what it needs. */
export const CALLED_ROWS: readonly Operation[] = OPERATIONS.filter(
  ({ operationId }) => !(operationId in NOT_CALLED),
).toSorted((a, b) => LAST.indexOf(a.operationId) - LAST.indexOf(b.operationId));

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export interface Called {
  /** What was sent, as its example shows it. */
  readonly input: Row;
  readonly answer: Answer;
}

export class ExampleCalls {
  readonly #paid: PaidService;
  readonly #answers = new Map<string, Promise<Called>>();
  /** Told before each call. */
  readonly #begins: (row: Operation) => void;
  #nonce = '';
  #owner: Promise<LoggedIn> | undefined;
  #funded: Promise<void> | undefined;
  #browser = '';

  constructor(paid: PaidService, begins: (row: Operation) => void = () => undefined) {
    this.#paid = paid;
    this.#begins = begins;
  }

  /** The first example of a row, called once. */
  first(operationId: string): Promise<Called> {
    const row = rowOf(operationId);
    const known = this.#answers.get(operationId) ?? this.call(row, row.examples[0]?.input as Row);
    this.#answers.set(operationId, known);
    return known;
  }

  /** An example with what the caller really has in place of what is printed. */
  async call(row: Operation, printed: Row): Promise<Called> {
    const { method, successStatus = 200, repeatStatus = successStatus } = row;
    const has = { ...(await this.#has[row.operationId]?.()) };
    const input: Row = { ...printed, ...has };
    const shown = Object.fromEntries(Object.keys(printed).map((name) => [name, input[name]]));
    const take = (name: string) => {
      const value = input[name];
      delete input[name];
      return value;
    };
    const headers = Object.fromEntries(
      Object.entries(row.headerOnly ?? {}).flatMap(([header, name]) =>
        name in input ? [[header, String(take(name))]] : [],
      ),
    );
    const path = pathFields(row.path).reduce(
      (at, name) => at.replace(`{${name}}`, encodeURIComponent(String(take(name)))),
      row.path,
    );
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString();
    const url = query === '' || method === 'post' ? path : `${path}?${query}`;
    const owner = row.tag === 'cabinet' && !(row.operationId in OF_ANYBODY) ? await this.#loggedIn() : undefined;
    this.#begins(row);
    const answer = await this.#send(row, { url, headers, input, owner });
    assert.ok(
      [successStatus, repeatStatus].includes(answer.status),
      `${row.operationId} ${answer.status}: ${answer.text}`,
    );
    return { input: shown, answer };
  }

  #send(
    { price, method, operationId }: Operation,
    {
      url,
      headers,
      input,
      owner,
    }: { url: string; headers: Record<string, string>; input: Row; owner: LoggedIn | undefined },
  ): Promise<Answer> {
    if (price !== null) return this.#buy(url);
    if (owner !== undefined) return method === 'post' ? owner.post(url, input, headers) : owner.call(url, { headers });
    const cookie = operationId === 'cabinet_login' ? { cookie: this.#browser } : {};
    return this.#paid.service.call(url, {
      method: method.toUpperCase(),
      headers: { ...headers, ...cookie },
      ...(method === 'post' && { body: input }),
    });
  }

  async #receiptKid(): Promise<Row> {
    const { json } = await this.#paid.service.call('/.well-known/avouch-keys.json');
    const keys = json['keys'] as { scope: string; public_key: string }[];
    const { public_key = '' } = keys.find(({ scope }) => scope === 'log-receipt') ?? {};
    return { kid: Buffer.from(coseKeyThumbprint(Buffer.from(public_key, 'base64'))).toString('base64url') };
  }

  async #buy(url: string): Promise<Answer> {
    const signed = await this.#paid.sign(url);
    this.#nonce = signed.nonce;
    return this.#paid.pay(url, signed);
  }

  /** What stands in an example for something that the caller has, with what the caller really has. */
  readonly #has: Readonly<Record<string, () => Promise<Row>>> = {
    look: async () => {
      const key = 'acme/repo#14';
      await this.#paid.service.call('/v1/claim', { method: 'POST', body: { key, agent: 'b2', mode: 'shared' } });
      await this.#paid.service.call(`/v1/look?${new URLSearchParams({ key, agent: 'd4' })}`);
      return { key };
    },
    watch: async () => ({ after: 0, key: (await this.#answerOf('claim'))['key'] }),
    release: () => this.#pick('claim', 'lease', 'token'),
    open_brief: () => this.#pick('brief', 'brief'),
    payment_status: async () => ({ nonce: (await this.first('eu_vat_check')) && this.#nonce }),
    fence: () => this.#pick('claim', 'fence'),
    receipt_verify: () => this.#pick('eu_vat_check', 'receipt'),
    attest_verify_bundle: () => this.#pick('attest_seal', 'attestation_id', 'proof'),
    attest_lookup: async () => {
      const claim = { statement: 'delivered', evidence_digests: [DIGEST] };
      await this.call(rowOf('attest_seal'), { schema_id: 'record.integrity.v1', claim, index: true });
      return { sha256: DIGEST };
    },
    attest_verify: () => this.#pick('attest_seal', 'attestation_id'),
    attest_receipt: () => this.#pick('attest_seal', 'attestation_id'),
    scitt_key: () => this.#receiptKid(),
    attest_erase: () => this.#pick('attest_seal', 'attestation_id', 'disclosure_seed'),
    amh_verify: async () => ({ ...(await this.#platform()), ...(await this.#pick('amh_mandate', 'mandate_id')) }),
    amh_seal: async () => ({ ...(await this.#platform()), ...(await this.#pick('amh_verify', 'verify_ref')) }),
    amh_status: async () => ({ ...(await this.#platform()), ...(await this.#pick('amh_verify', 'verify_ref')) }),
    amh_mandate_view: () => this.#pick('amh_mandate', 'mandate_id'),
    amh_mandate_approve: () => this.#controlled(),
    amh_mandate_narrow: () => this.#controlled('amh_seal'),
    amh_mandate_void: () => this.#controlled('amh_mandate_narrow'),
    amh_mandate_revoke: () => this.#controlled('amh_seal'),
    amh_key_create: () => this.#platform(),
    amh_key_revoke: async () => ({ ...(await this.#platform()), ...(await this.#pick('amh_key_create', 'key_id')) }),
    check_task: async () => ({ ref: (await this.#answerOf('accept_quote'))['task_id'] }),
    get_evidence: () => this.#pick('accept_quote', 'task_id'),
    log_entry: async () => ({ ref: (await this.#answerOf('attest_seal'))['attestation_id'] }),
    task_page: async () => ({ receipt_id: (await this.#answerOf('accept_quote'))['receipt_id'] }),
    open_task_page: async () => {
      const { task_id: receipt_id, receipt_key } = await this.#newTask({ need: 'do something nice' });
      return { receipt_id, receipt_key };
    },
    answer_task: () => this.#newTask({ need: 'do something nice' }),
    accept_quote: () => this.#newTask({ need: 'open bounties', mode: 'quote' }),
    cancel_task: () => this.#newTask({ need: 'do something nice' }),
    bom_calculate: () => this.#agent(),
    get_calculation: () => this.#ofAgent('bom_calculate', 'calculation_id'),
    create_order: () => this.#ofAgent('bom_calculate', 'calculation_id'),
    list_orders: () => this.#agent(),
    get_order: () => this.#ofAgent('create_order', 'order_id'),
    place_order: () => this.#ofAgent('create_order', 'order_id'),
    cancel_order: async () => (await this.first('place_order')) && this.#ofAgent('create_order', 'order_id'),
    get_agent: () => this.#agent(),
    rotate_key: () => this.#agent(),
    revoke_key: () => this.#ofAgent('rotate_key', 'key_id'),
    get_wallet: () => this.#agent(),
    get_wallet_ledger: () => this.#agent(),
    topup_wallet: () => this.#agent(),
    get_topup: () => this.#ofAgent('topup_wallet', 'topup_id'),
    topup_return: async () => ({ ...(await this.#session()), ...(await this.#pick('topup_wallet', 'topup_id')) }),
    sandbox_checkout: () => this.#session(),
    sandbox_checkout_act: () => this.#session(),
    execute_capability: () => this.#agent(),
    get_execution: () => this.#ofAgent('execute_capability', 'execution_id'),
    cabinet_login: async () => {
      await this.#agent();
      const known = new Set((await loginMails(this.#paid.service)).map(({ token }) => token));
      this.#browser = cookieOf(await requestLink(this.#paid.service));
      const mails = await loginMails(this.#paid.service);
      return { t: mails.find(({ token }) => !known.has(token))?.token };
    },
    start_call: () => this.#pick('start', 'agent_key'),
    start_topup: () => this.#pick('start', 'agent_id'),
    cabinet_agent: () => this.#pick('register_agent', 'agent_id'),
    cabinet_ledger: () => this.#pick('register_agent', 'agent_id'),
    cabinet_topup: () => this.#pick('register_agent', 'agent_id'),
    cabinet_key: () => this.#pick('register_agent', 'agent_id'),
    cabinet_calls: () => this.#pick('register_agent', 'agent_id'),
    cabinet_tasks: async () => (await this.first('cabinet_task_cancel')) && {},
    cabinet_orders: async () => (await this.first('cabinet_order_cancel')) && {},
    cabinet_mandates: async () => (await this.first('cabinet_mandate_open')) && {},
    cabinet_task_cancel: () => this.#ownTask({ need: 'do something nice' }),
    cabinet_task_answer: () => this.#ownTask({ need: 'do something nice' }),
    cabinet_task_accept: () =>
      this.#ownTask({
        need: 'seal this statement so I can prove it existed today',
        inputs: { statement: 'Order 17 was delivered.' },
        mode: 'quote',
      }),
    cabinet_order_cancel: async () => {
      const row = rowOf('create_order');
      const { answer } = await this.call(row, { ...(row.examples[0]?.input as Row), mode: 'auto' });
      return { order_id: answer.json['order_id'] };
    },
    cabinet_mandate_open: async () => {
      const row = rowOf('amh_mandate');
      const { agent_id } = await this.#pick('register_agent', 'agent_id');
      const { answer } = await this.call(row, { ...(row.examples[0]?.input as Row), agent_id });
      return { mandate_id: answer.json['mandate_id'], control_token: answer.json['control_token'] };
    },
    cabinet_account_delete: async () => {
      const email = 'leaving@example.org';
      await registered(this.#paid.service, email, 'buyer-8');
      this.#owner = loggedIn(this.#paid.service, email);
      return { confirm: email };
    },
  };

  /** A task of the agent whose owner is logged in. */
  async #ownTask(asked: Row): Promise<Row> {
    const headers = { 'x-agent-key': String((await this.#agent())['agent_key']) };
    const { agent_id } = await this.#pick('register_agent', 'agent_id');
    const body = { agent_id, ...asked };
    const { json } = await this.#paid.service.call('/api/tasks', { method: 'POST', body, headers });
    return { task_id: json['task_id'] };
  }

  get calledWithMore(): readonly string[] {
    return Object.keys(this.#has);
  }

  async #answerOf(operationId: string): Promise<Row> {
    return (await this.first(operationId)).answer.json;
  }

  async #pick(operationId: string, ...names: readonly string[]): Promise<Row> {
    const answer = await this.#answerOf(operationId);
    return Object.fromEntries(names.map((name) => [name, answer[name]]));
  }

  async #controlled(behind?: string): Promise<Row> {
    if (behind !== undefined) await this.first(behind);
    return this.#pick('amh_mandate', 'mandate_id', 'control_token');
  }

  #platform(): Promise<Row> {
    return this.#pick('amh_register', 'api_key');
  }

  async #agent(): Promise<Row> {
    const { agent_id, agent_key } = await this.#answerOf('register_agent');
    this.#funded ??= fund(this.#paid.service.service.store, String(agent_id), 100_000_000);
    await this.#funded;
    return { agent_key };
  }

  async #ofAgent(operationId: string, ...names: readonly string[]): Promise<Row> {
    return { ...(await this.#agent()), ...(await this.#pick(operationId, ...names)) };
  }

  async #session(): Promise<Row> {
    return { session_id: sessionOf({ json: await this.#answerOf('topup_wallet') } as unknown as Answer) };
  }

  async #loggedIn(): Promise<LoggedIn> {
    await this.#agent();
    this.#owner ??= loggedIn(this.#paid.service);
    return this.#owner;
  }

  /** A task of its own, and the key that opens it. */
  async #newTask(body: Row): Promise<Row> {
    const made = await this.#paid.service.call('/api/tasks', {
      method: 'POST',
      body: { agent_id: 'anonymous', ...body },
    });
    return { task_id: made.json['task_id'], receipt_key: made.json['receipt_key'] };
  }
}

function rowOf(operationId: string): Operation {
  return OPERATIONS.find((one) => one.operationId === operationId) as Operation;
}

/** Rows of the cabinet that are there before anybody has logged in. */
const OF_ANYBODY: Readonly<Record<string, true>> = {
  request_login_link: true,
  cabinet_login_page: true,
  cabinet_login: true,
  start_page: true,
  start: true,
  start_call: true,
};
