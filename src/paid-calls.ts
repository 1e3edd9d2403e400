import type { DidKey } from '#areas/discovery/payment-documents.ts';
import type { Config } from '#platform/config/config.ts';
import { isoTime } from '#kernel/clock.ts';
import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import { statementStep } from '#platform/log/statement-unit.ts';
import { PaymentGate } from '#platform/payments/gate.ts';
import { PaymentLedger } from '#platform/payments/ledger.ts';
import { paymentStatus, receiptVerify } from '#platform/payments/operations.ts';
import { statusOfPayment } from '#platform/payments/payment-status.ts';
import { verifySentReceipt } from '#platform/payments/receipt-verification.ts';
import { Reconciler } from '#platform/payments/reconciler.ts';
import type { SettlementBackend } from '#platform/payments/settlement.ts';
import { Settler } from '#platform/payments/settler.ts';
import { type PaymentTerms, paymentTerms, sandboxPayTo } from '#platform/payments/terms.ts';
import type { SignedPart } from '#protocol/payment/coverage.ts';
import {
  type Receipt,
  type ReceiptBody,
  type ReceiptKey,
  type ReceiptSubject,
  signReceipt,
} from '#protocol/payment/receipt.ts';
import type { PublishedKey } from '#protocol/payment/receipt-check.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import type { Step } from '#platform/storage/store.ts';
import type { Foundation } from './foundation.ts';
import type { Logger } from '#platform/logger.ts';

export interface PaidCallsOptions {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly rows: readonly PaidRow<Step>[];
  readonly backend: SettlementBackend | undefined;
  readonly chainInstance: string | null;
  /** Why settlement is known to be down; null where it is not. Answered from memory. */
  readonly settlementFault: () => string | null;
  readonly baseUrl: () => string;
  readonly logger: Logger;
  /** How many times longer than usual callers wait. */
  readonly patience?: number;
}

/** Everything around payments, built once. */
export interface PaidCalls {
  readonly terms: PaymentTerms;
  readonly bound: readonly BoundOperation[];
  /** The payment whose receipt has this id. */
  readonly byReceiptId: PaymentLedger['byReceiptId'];
  /** Signs the receipt of an answer that nobody paid for. */
  readonly unpaidReceipt: (of: UnpaidReceipt) => Receipt;
  readonly receiptKey: () => ReceiptKey;
  readonly didKeys: () => DidKey[];
  readonly did: () => string;
  /** Undefined when this installation cannot settle. */
  readonly reconciler: Reconciler | undefined;
}

type UnpaidReceipt = ReceiptSubject & {
  /** Of answers that a wallet paid. */
  readonly charge?: ReceiptBody['charge'];
  readonly receiptId: `rcp_${string}`;
  readonly signed: SignedPart;
  readonly requestSha256: string;
  readonly issuedAt: string;
};

export async function openPaidCalls(options: PaidCallsOptions): Promise<PaidCalls> {
  const { config, foundation, rows, backend, chainInstance, settlementFault, baseUrl, logger, patience = 1 } = options;
  const { clock, store, processId } = foundation;
  const keys = receiptKeys(foundation, baseUrl);
  const sandbox = config.profile === 'sandbox';
  const terms = paymentTerms(sandbox, config.payTo ?? sandboxPayTo(keys.first()));
  const rowOf = (operationId: string) => rows.find(({ operation }) => operation.operationId === operationId);
  const logFault = (what: string, error: unknown) => logger.error(what, {}, error);
  const sealRefundDue = (sha256: string) => statementStep(`payment.refund_due sha256 ${sha256}`, sandbox);
  const ledger = new PaymentLedger({ store, owner: processId, rowOf, sealRefundDue });
  const delivery = { terms, baseUrl, receiptKey: keys.current };
  const settlement = backend && settlementOf(backend, { ...delivery, ledger, clock, rowOf, chainInstance, logFault });
  const gate = new PaymentGate({
    ...delivery,
    ledger,
    clock,
    engine: await chooseRecoverEngine(config.secp256k1),
    serviceName: config.serviceName,
    chainInstance,
    settlement,
    settlementFault,
    patience,
    logFault,
  });
  return {
    terms,
    byReceiptId: (receiptId) => ledger.byReceiptId(receiptId),
    bound: [
      ...rows.map((row) => ({ operation: row.operation, gate: gate.gateOf(row) })),
      bind(paymentStatus, (input) => statusOfPayment({ ledger, clock, sandbox }, input)),
      bind(receiptVerify, (input) => verifySentReceipt(input, { keys: keys.published(), sandbox })),
    ],
    unpaidReceipt: ({ receiptId, signed, requestSha256, issuedAt, charge, ...subject }) =>
      signReceipt(
        {
          ...subject,
          receipt_id: receiptId,
          ...signed,
          request_sha256: requestSha256,
          issued_at: issuedAt,
          issuer: baseUrl(),
          sandbox,
          ...(charge !== undefined && { charge }),
        },
        keys.current(),
      ),
    receiptKey: keys.current,
    did: keys.did,
    didKeys: () =>
      keys.published().map(({ kid, publicKey, retiredAt }) => ({ kid, publicKey, isInForce: retiredAt === null })),
    reconciler: settlement?.reconciler,
  };
}

type SettlementParts = Omit<ConstructorParameters<typeof Settler>[0], 'backend'> & {
  readonly chainInstance: string | null;
};

function settlementOf(backend: SettlementBackend, parts: SettlementParts) {
  const settler = new Settler({ ...parts, backend });
  return { backend, settler, reconciler: new Reconciler({ ...parts, settler, backend }) };
}

function receiptKeys({ keyRing }: Foundation, baseUrl: () => string) {
  const did = () => `did:web:${encodeURIComponent(new URL(baseUrl()).host)}`;
  const records = () => keyRing.records().filter(({ scope }) => scope === 'receipts');
  const kidOf = (keyId: string) => `${did()}#${keyId}`;
  return {
    did,
    /** The one that stays first whatever is rotated. */
    first: (): string => records()[0]?.publicKey ?? '',
    current: (): ReceiptKey => {
      const record = records().find(({ retiredAtMs }) => retiredAtMs === null);
      if (record === undefined) throw new Error('there is no receipts key in force');
      const { publicKey, keyId } = record;
      return { privateKey: keyRing.signingKey('receipts'), publicKey, kid: kidOf(keyId) };
    },
    published: (): PublishedKey[] =>
      records().map(({ keyId, publicKey, retiredAtMs }) => ({
        kid: kidOf(keyId),
        publicKey,
        role: retiredAtMs === null ? 'root' : 'legacy',
        retiredAt: retiredAtMs === null ? null : isoTime(retiredAtMs),
      })),
  };
}
