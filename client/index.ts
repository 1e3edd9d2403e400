export { type AvouchClient, avouchClient, type CallOptions, type ClientOptions } from './client.ts';
export {
  guardSpend,
  MandateDenied,
  type Mandated,
  type MandateQuestion,
  payloadHash,
  type SpendOptions,
  SpendRefused,
  type Spent,
  withMandate,
} from './guard.ts';
export {
  type HeldLease,
  holdLease,
  LeaseLost,
  LeaseNotGranted,
  type LeaseRequest,
  type Time,
  whileHeld,
  withLease,
} from './lease.ts';
export {
  type Input,
  NoValueError,
  type OperationId,
  type Outcome,
  type Output,
  type Payment,
  type Problem,
  valueOf,
} from './outcome.ts';
export type { OwnPayer, Payer, PaymentHeaders } from './payment.ts';
export { type Trust, trustIn } from './proof.ts';
export type * from './types.ts';
