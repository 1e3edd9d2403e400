import { type OpenArea, on } from '#kernel/area.ts';
import type { BoundOperation } from '#kernel/bound-operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { idForm } from '#kernel/ids.ts';
import type { Job } from '#kernel/job.ts';
import type { PaidRow } from '#kernel/paid-operation.ts';
import type { ReferenceForm } from '#kernel/reference-form.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import type { Step } from '#platform/storage/store.ts';
import { chooseRecoverEngine } from '#protocol/payment/recover-engine.ts';
import { PaymentGate } from './gate.ts';
import { PaymentLedger } from './ledger.ts';
import { paymentStatus, receiptVerify } from './operations.ts';
import { statusOfPayment } from './payment-status.ts';
import { verifySentReceipt } from './receipt-verification.ts';
import type { ReceiptSigner } from './receipt-signer.ts';
import { Reconciler } from './reconciler.ts';
import { refundStatement } from './refunds.ts';
import type { SettlementBackend } from './settlement.ts';
import { Settler } from './settler.ts';

export interface PaymentNeeds {
  /** All rows that cost money. */
  readonly rows: readonly PaidRow<Step>[];
  /** What a receipt of a task leads to, where no payment has it. */
  readonly receiptOfTask: ReferenceForm['find'];
}

export interface OpenPayments extends OpenArea, AsyncDisposable {
  readonly ledger: PaymentLedger;
  readonly clock: Clock;
  readonly sandbox: boolean;
  readonly receipts: ReceiptSigner;
  /** The rows that cost money, each behind the gate. */
  readonly gated: readonly BoundOperation[];
  readonly jobs: readonly Job[];
}

/** Payments of single calls: the gate before them, their settlement, and what became of each. */
export const paymentsArea = {
  name: 'payments',
  open: openPayments,
  operations: [
    on(paymentStatus, (area, input) => statusOfPayment(area, input)),
    on(receiptVerify, ({ receipts, sandbox }, input) =>
      verifySentReceipt(input, { keys: receipts.published(), sandbox }),
    ),
  ],
} satisfies PlatformArea<OpenPayments, PaymentNeeds>;

async function openPayments(platform: Platform, needs: PaymentNeeds): Promise<OpenPayments> {
  const { config, store, clock, sandbox, processId, receipts, baseUrl, logger, patience } = platform;
  const { rows } = needs;
  const { terms, backend, chainInstance } = platform.payments;
  const rowOf = (operationId: string) => rows.find(({ operation }) => operation.operationId === operationId);
  const logFault = (what: string, error: unknown) => logger.error(what, {}, error);
  const sealRefundDue = (paymentId: string) => refundStatement('refund_due', paymentId, sandbox);
  const ledger = new PaymentLedger({ store, owner: processId, rowOf, sealRefundDue });
  const delivery = { terms, baseUrl, receiptKey: () => receipts.current() };
  const settlement = backend && settlementOf(backend, { ...delivery, ledger, clock, rowOf, chainInstance, logFault });
  const gate = new PaymentGate({
    ...delivery,
    ledger,
    clock,
    engine: await chooseRecoverEngine(config.secp256k1),
    serviceName: config.serviceName,
    chainInstance,
    settlement,
    settlementFault: () => platform.health.faultOf('settlement'),
    patience,
    logFault,
  });
  const reconciler = settlement?.reconciler;
  return {
    ledger,
    clock,
    sandbox,
    receipts,
    gated: rows.map((row) => ({ operation: row.operation, gate: gate.gateOf(row) })),
    references: [receiptForm(ledger, needs)],
    jobs: reconciler === undefined ? [] : [reconcilerJob(reconciler, () => baseUrl() !== '')],
    onListening() {
      // On SQLite no other process can be at what a crash left open.
      void reconciler?.kick(config.databaseUrl === null);
    },
    [Symbol.asyncDispose]: async () => reconciler?.[Symbol.asyncDispose](),
  };
}

function receiptForm(ledger: PaymentLedger, { receiptOfTask }: PaymentNeeds): ReferenceForm {
  return {
    pattern: idForm('rcp_'),
    kind: 'receipt',
    async find(ref) {
      const payment = await ledger.byReceiptId(ref);
      if (payment === undefined) return receiptOfTask(ref);
      const valid = payment.state === 'settled';
      const checks = [{ name: 'payment_settled', ok: valid }];
      return { entry: null, url: `/v1/payments/${payment.nonce}`, facts: { valid, checks } };
    },
  };
}

/** Started and not waited for: a silent chain must not hold up the beat. */
function reconcilerJob(reconciler: Reconciler, isListening: () => boolean): Job {
  return {
    name: 'payments',
    everyMs: 0,
    async run() {
      // Receipts name the public address, which a sandbox knows only when it listens.
      if (isListening()) void reconciler.kick(false);
    },
  };
}

type SettlementDeps = Omit<ConstructorParameters<typeof Settler>[0], 'backend'> & {
  readonly chainInstance: string | null;
};

function settlementOf(backend: SettlementBackend, parts: SettlementDeps) {
  const settler = new Settler({ ...parts, backend });
  return { backend, settler, reconciler: new Reconciler({ ...parts, settler, backend }) };
}
