// A small seller on a real chain, for the buyer's side: it challenges, settles and signs as the service does, and lies on request.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodePaymentHeader, encodeHeader } from '#protocol/payment/header.ts';
import { VECTOR_KEY } from '#protocol/payment/_payment-vectors.ts';
import { OFFER_RECEIPT, offersExtension } from '#protocol/payment/offer-receipt.ts';
import { resultSha256, signReceipt } from '#protocol/payment/receipt.ts';
import { fingerprintQuery, requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import { payee, payer } from '#sandbox/chain/_chain.ts';
import { clock, openWorld, settlerOn } from '../../src/platform/payments/_settlement.ts';
import type { Hex } from '#protocol/payment/hex.ts';

export type SellerMode =
  | 'honest'
  | 'unsigned'
  | 'swapped_account'
  | 'false_receipt'
  | 'asks_twice'
  | 'pending'
  | 'denies'
  | 'gateway'
  | 'hangs_up'
  | 'cut_short'
  | 'real_money'
  | 'other_token'
  | 'free';

export class Seller implements AsyncDisposable {
  mode: SellerMode = 'honest';
  amount = '2000';
  /** Payments that reached it. */
  paid = 0;
  readonly url: string;
  readonly rpcUrl: string;
  readonly #stack: AsyncDisposableStack;
  readonly #stored = new Map<string, string>();
  readonly #world: Awaited<ReturnType<typeof openWorld>>;
  readonly #settler: ReturnType<typeof settlerOn>;

  private constructor(parts: {
    stack: AsyncDisposableStack;
    world: Awaited<ReturnType<typeof openWorld>>;
    url: string;
  }) {
    this.#stack = parts.stack;
    this.#world = parts.world;
    this.rpcUrl = parts.world.chain.rpcUrl;
    this.#settler = settlerOn(this.rpcUrl, parts.world.store);
    this.#stack.use(this.#settler);
    this.url = parts.url;
  }

  static async open(): Promise<Seller> {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await openWorld());
    const server = createServer((request, response) => void seller.#handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack.defer(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const seller: Seller = new Seller({ stack: stack.move(), world, url });
    return seller;
  }

  earned(): Promise<bigint> {
    return this.#world.money.balance(payee);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname.startsWith('/sandbox/balance/')) {
      const address = url.pathname.split('/').at(-1) as Hex;
      return answer(response, 200, {
        address,
        balance: String(await this.#world.money.balance(address)),
        sandbox: true,
      });
    }
    if (url.pathname === '/.well-known/avouch-keys.json') {
      return answer(response, 200, { keys: [{ scope: 'receipts', alg: 'ed25519', public_key: VECTOR_KEY.publicKey }] });
    }
    const key = String(request.headers['idempotency-key']);
    const stored = this.#stored.get(key);
    if (stored !== undefined)
      return answer(response, 200, JSON.parse(stored) as object, { 'Idempotent-Replayed': 'true' });
    if (this.mode === 'free') return answer(response, 200, { result: 'free' });
    const header = request.headers['payment-signature'];
    if (typeof header !== 'string') return this.#challenge(url, response);
    this.paid += 1;
    if (this.mode === 'asks_twice') return this.#challenge(url, response);
    if (this.mode === 'pending') return answer(response, 503, { code: 'settlement_pending', charged: null });
    if (this.mode === 'denies') return answer(response, 402, { code: 'payment_required', charged: false });
    if (this.mode === 'gateway') return void response.writeHead(502).end('<h1>Bad gateway</h1>');
    if (this.mode === 'hangs_up') return void request.destroy();
    if (this.mode === 'cut_short') {
      response.writeHead(200, { 'content-length': '100' });
      return void response.write('{"kind":', () => request.destroy());
    }
    await this.#sell(url, header, key, response);
  }

  async #sell(url: URL, header: string, key: string, response: ServerResponse): Promise<void> {
    const payload = decodePaymentHeader(header);
    if (payload === undefined) return answer(response, 400, { charged: false });
    const authorization = authorizationOf(payload);
    const payment = { key, payload, requirements: payload.accepted, authorization };
    const settled = await this.#settler.settle(payment);
    if (settled.outcome !== 'confirmed') return answer(response, 402, { charged: false });
    const { transaction, logIndex } = settled;
    const result = { valid: true };
    const query = fingerprintQuery(url.searchParams);
    const { network, asset, payTo, amount } = payload.accepted;
    const { from, nonce } = authorization;
    const receipt = signReceipt(
      {
        type: 'avouch.verdict-receipt.v1',
        kind: 'eu_vat',
        receipt_id: 'rcp_test',
        covers: '/result',
        result_sha256: resultSha256(this.mode === 'false_receipt' ? { valid: false } : result),
        request_sha256: requestFingerprint({ method: 'GET', path: url.pathname, query }),
        issued_at: '2026-11-15T10:00:00.000Z',
        issuer: this.url,
        sandbox: true,
        payment: {
          scheme: 'exact',
          network,
          asset,
          pay_to: payTo,
          payer: from,
          amount,
          nonce,
          transaction,
          log_index: logIndex,
        },
      },
      VECTOR_KEY,
    );
    const body = { kind: 'eu_vat', result, receipt };
    this.#stored.set(key, JSON.stringify(body));
    const paid = encodeHeader({ success: true, transaction, network, payer: from });
    answer(response, 200, body, { 'PAYMENT-RESPONSE': paid });
  }

  #challenge(url: URL, response: ServerResponse): void {
    const name = this.mode === 'real_money' ? 'USD Coin' : 'Sandbox USDC';
    const accepted = {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: this.amount,
      asset: this.mode === 'other_token' ? payer.address : '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: payee,
      maxTimeoutSeconds: 120,
      extra: { name, version: '2' },
    };
    const offer = { resourceUrl: url.href, nowSeconds: Math.floor(clock.now() / 1000), sandbox: true };
    const sent = this.mode === 'swapped_account' ? { ...accepted, payTo: payer.address } : accepted;
    const extensions = { [OFFER_RECEIPT]: offersExtension([accepted], offer, VECTOR_KEY) };
    const challenge = {
      x402Version: 2 as const,
      error: 'Payment required',
      resource: { url: url.href, description: 'a test' },
      accepts: [sent],
      ...(this.mode !== 'unsigned' && { extensions }),
    };
    answer(response, 402, challenge, { 'PAYMENT-REQUIRED': encodeHeader(challenge) });
  }
}

function answer(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
