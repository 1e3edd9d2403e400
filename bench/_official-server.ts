// The official x402 flow of bench/paid.ts, as a process of its own beside the chain: `node bench/_official-server.ts
// <rpc url>`. Resource server and facilitator in one process, around node:http and an answer that costs nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import {
  type HTTPAdapter,
  type HTTPRequestContext,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server';
import { createPublicClient, createWalletClient, defineChain, type Hex, http, type TransactionReceipt } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  SANDBOX_CHAIN_ID,
  SANDBOX_RELAY_KEY,
  SANDBOX_TOKEN,
  SANDBOX_TOKEN_NAME,
} from '../src/sandbox/chain/sandbox-contracts.ts';

const NETWORK = `eip155:${SANDBOX_CHAIN_ID}` as const;
const PAY_TO: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const PATH = '/v1/agent-coordination-audit';
const GAS_MONEY_WEI = 10_000n * 10n ** 18n;
const RECEIPT_POLL_MS = 25;
const BODY = Buffer.from(JSON.stringify({ verdict: 'READY', score: 100, controls: 'x'.repeat(2_000) }));

const rpcUrl = process.argv[2] ?? '';
const chain = defineChain({
  id: SANDBOX_CHAIN_ID,
  name: 'sandbox',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
  contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
});
const account = privateKeyToAccount(generatePrivateKey());
const reads = createPublicClient({ chain, transport: http(rpcUrl) });
const writes = createWalletClient({ chain, transport: http(rpcUrl), account });

let nonce = 0;
let turn: Promise<unknown> = Promise.resolve();

/** One transaction after the other, each under the next nonce; a failed one gives its nonce back. */
function sendInTurn(transact: (nonce: number) => Promise<Hex>): Promise<Hex> {
  const sent = turn.then(async () => {
    const hash = await transact(nonce);
    nonce += 1;
    return hash;
  });
  turn = sent.catch(() => undefined);
  return sent;
}

async function receiptOf({ hash }: { readonly hash: Hex }): Promise<TransactionReceipt> {
  for (;;) {
    const receipt = await reads.getTransactionReceipt({ hash }).catch(() => undefined);
    if (receipt !== undefined) return receipt;
    await pause(RECEIPT_POLL_MS);
  }
}

const signer = toFacilitatorEvmSigner({
  address: account.address,
  readContract: (args: never) => reads.readContract(args),
  verifyTypedData: (args: never) => reads.verifyTypedData(args),
  writeContract: (args: object) => sendInTurn((next) => writes.writeContract({ ...args, nonce: next } as never)),
  sendTransaction: (args: object) => sendInTurn((next) => writes.sendTransaction({ ...args, nonce: next } as never)),
  waitForTransactionReceipt: receiptOf,
  getCode: (args: { address: Hex }) => reads.getCode(args),
});
const facilitator = new x402Facilitator().register(NETWORK, new FacilitatorScheme(signer));
const seller = new x402ResourceServer({
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported() as never,
}).register(NETWORK, new SellerScheme());
const official = new x402HTTPResourceServer(seller, {
  [`GET ${PATH}`]: {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo: PAY_TO,
      maxTimeoutSeconds: 120,
      price: { asset: SANDBOX_TOKEN, amount: '50000', extra: { name: SANDBOX_TOKEN_NAME, version: '2' } },
    },
    description: 'bench',
    mimeType: 'application/json',
  },
});

function contextOf(request: IncomingMessage): HTTPRequestContext {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const header = (name: string) => request.headers[name.toLowerCase()] as string | undefined;
  const adapter: HTTPAdapter = {
    getHeader: header,
    getMethod: () => 'GET',
    getPath: () => url.pathname,
    getUrl: () => url.href,
    getAcceptHeader: () => header('accept') ?? '',
    getUserAgent: () => header('user-agent') ?? '',
    getQueryParams: () => Object.fromEntries(url.searchParams),
  };
  const paymentHeader = header('payment-signature');
  return { adapter, path: url.pathname, method: 'GET', ...(paymentHeader !== undefined && { paymentHeader }) };
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: Buffer): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const context = contextOf(request);
  const checked = await official.processHTTPRequest(context);
  if (checked.type === 'no-payment-required') return send(response, 200, {}, BODY);
  if (checked.type === 'payment-error') {
    const { status, headers, body } = checked.response;
    return send(response, status, headers, Buffer.from(JSON.stringify(body ?? {})));
  }
  const { paymentPayload, paymentRequirements, declaredExtensions, beforeHandlerSettlement } = checked;
  const settled = await official.processSettlement(
    paymentPayload,
    paymentRequirements,
    declaredExtensions,
    { request: context, responseBody: BODY },
    undefined,
    beforeHandlerSettlement,
  );
  if (settled.success) send(response, 200, settled.headers, BODY);
  else send(response, 402, settled.headers, Buffer.from(JSON.stringify(settled)));
}

const rich = createWalletClient({ chain, transport: http(rpcUrl), account: privateKeyToAccount(SANDBOX_RELAY_KEY) });
await receiptOf({ hash: await rich.sendTransaction({ to: account.address, value: GAS_MONEY_WEI }) });
await official.initialize();
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
