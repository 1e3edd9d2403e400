import { ATTESTATION_OPERATIONS } from '#areas/attestation/bind.ts';
import { CABINET_OPERATIONS } from '#areas/cabinet/bind.ts';
import { capabilitiesArea } from '#areas/capabilities/area.ts';
import { auditsArea } from '#areas/audits/area.ts';
import { bountiesArea } from '#areas/bounties/area.ts';
import { briefsArea } from '#areas/briefs/area.ts';
import { crossingArea } from '#areas/crossing/area.ts';
import { DATA_OPERATIONS } from '#areas/data/bind.ts';
import * as documents from '#areas/discovery/document-operations.ts';
import * as manifests from '#areas/discovery/manifest-operations.ts';
import * as discovery from '#areas/discovery/operations.ts';
import { exit } from '#areas/tasks/lessons/operations.ts';
import { mandatesArea } from '#areas/mandates/area.ts';
import { checkoutAct, checkoutPage } from '#sandbox/pages/checkout-operations.ts';
import { PAGE_OPERATIONS } from '#areas/discovery/pages/bind.ts';
import { outboxPage } from '#sandbox/pages/outbox-operation.ts';
import { ORDER_OPERATIONS } from '#areas/orders/bind.ts';
import * as sandbox from '#sandbox/pages/operations.ts';
import { didDocument, x402Discovery } from '#areas/discovery/payment-documents.ts';
import { verdictsArea } from '#areas/verdicts/area.ts';
import { TASK_OPERATIONS } from '#areas/tasks/bind.ts';
import { checkNotFound, freeChecksUsed } from '#areas/verdicts/problems.ts';
import { walletArea } from '#areas/wallet/area.ts';
import { inDocumentOrder, rowsOf } from '#kernel/area.ts';
import { suspended } from '#kernel/api-key.ts';
import type { Operation } from '#kernel/operation.ts';
import type { ProblemType } from '#kernel/problem.ts';
import { PAYMENT_OPERATIONS } from '#platform/payments/operations.ts';
import { GATE_PROBLEMS } from '#platform/payments/problems.ts';
import { mcpTools } from '#transport/mcp/catalogue.ts';
import { MCP_PROBLEMS } from '#transport/mcp/problems.ts';
import { PLAYGROUND } from './playground.ts';
import * as general from '#kernel/general-problems.ts';
import { AREAS } from './areas.ts';
import { repositoryRefused } from './repository-proposals.ts';

const ROWS_OF_AREAS = [
  ...rowsOf(crossingArea),
  ...rowsOf(bountiesArea),
  ...rowsOf(briefsArea),
  ...rowsOf(verdictsArea),
  ...rowsOf(auditsArea),
  ...PAYMENT_OPERATIONS,
  ...ATTESTATION_OPERATIONS,
  ...rowsOf(mandatesArea),
  ...TASK_OPERATIONS,
  exit,
  ...ORDER_OPERATIONS,
  ...rowsOf(walletArea),
  ...CABINET_OPERATIONS,
  checkoutPage,
  checkoutAct,
  outboxPage,
  ...rowsOf(capabilitiesArea),
  ...DATA_OPERATIONS,
  ...Object.values(PLAYGROUND),
  sandbox.faucet,
  sandbox.balance,
  discovery.health,
  discovery.status,
  discovery.keyDocument,
  didDocument,
  x402Discovery,
  mcpTools,
  discovery.openApi,
  discovery.problemPage,
  manifests.entryManifest,
  manifests.fullEntryManifest,
  manifests.onboardingManifest,
  manifests.coordinationManifest,
  manifests.economyManifest,
  manifests.strategyPillars,
  manifests.rulesOfEngagement,
  documents.llmsText,
  documents.llmsFullText,
  documents.plugin,
  documents.catalog,
  documents.mcpServerCard,
  documents.wellKnownServerCard,
  documents.robots,
  documents.logo,
  documents.verifyFile,
  ...PAGE_OPERATIONS,
];

const ROWS = inDocumentOrder(ROWS_OF_AREAS, AREAS);

/** One of the rows, with the types of its input and output. */
export type Row = (typeof ROWS)[number];
/** Everything that can be asked of the service, in the order in which documents show it. */
export const OPERATIONS = ROWS as unknown as readonly Operation[];

/** Every problem that the operation can answer: its own and those that follow from its other fields. */
export function promisedProblems(operation: Operation): ProblemType[] {
  const hasInput = Object.keys(operation.input.shape).length > 0;
  const takesBody = operation.method === 'post' || operation.alsoPost === true;
  const isPaid = operation.price !== null;
  const writes = operation.effects || isPaid;
  const isGuarded = operation.effects && operation.method === 'get' && !isPaid;
  const promised = [
    general.invalidParameters,
    general.malformedRequest,
    ...(takesBody
      ? [
          general.malformedJson,
          general.bodyTooLarge,
          general.tooManyBodies,
          general.unsupportedMediaType,
          general.unsupportedCoding,
        ]
      : []),
    ...(isGuarded ? [general.crossSiteRequest, general.prefetch] : []),
    ...(operation.takesForm ? [general.crossSiteRequest] : []),
    ...(operation.rate === 'none' ? [] : [general.slowDown]),
    ...(writes ? [general.busy, general.storageUnavailable, general.outcomeUnknown] : []),
    ...(writes && !isPaid ? [general.signerUnavailable] : []),
    ...(writes ? [general.auditTrailUnavailable] : []),
    ...(operation.effects && !isPaid && operation.whileSuspended !== 'allowed' ? [suspended] : []),
    ...(!writes && readsStore(operation) ? [general.storageUnavailable] : []),
    ...(!writes && operation.reads === 'log' ? [general.logUnsound] : []),
    ...(operation.streams === undefined ? [] : [general.tooManyStreams, general.streamsFull]),
    ...(isPaid ? GATE_PROBLEMS : []),
    ...(operation.deprecated === undefined ? [] : [general.sunsetPassed]),
    ...operation.problems,
  ];
  return [...new Set(promised)].filter((problem) => hasInput || problem !== general.malformedJson);
}

/** True when a call without effects needs the store. */
export function readsStore({ reads = 'nothing' }: Operation): boolean {
  return reads !== 'nothing';
}

/** Of tools and of no operation. */
const TOOL_PROBLEMS = [...MCP_PROBLEMS, suspended, freeChecksUsed, checkNotFound, repositoryRefused];

/** The closed set of problem codes. */
export function allProblems(operations: readonly Operation[] = OPERATIONS): ProblemType[] {
  const problems = new Map<string, ProblemType>();
  const shared = [...general.GENERAL_PROBLEMS, ...GATE_PROBLEMS, ...TOOL_PROBLEMS];
  for (const problem of [...shared, ...operations.flatMap((row) => row.problems)]) {
    const known = problems.get(problem.code);
    // Rooms that may not know each other may mean the same by a code, but nothing else by it.
    if (known !== undefined && !isSame(known, problem)) throw new Error(`two problems share the code ${problem.code}`);
    problems.set(problem.code, problem);
  }
  return [...problems.values()].toSorted((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

/** Two rows may not share an id or a place; called once at start. */
export function checkTable(operations: readonly Operation[]): void {
  const seen = new Set<string>();
  for (const { operationId, method, path, alsoPost } of operations) {
    for (const name of [operationId, `${method} ${path}`, ...(alsoPost ? [`post ${path}`] : [])]) {
      if (seen.has(name)) throw new Error(`the operation table has ${name} twice`);
      seen.add(name);
    }
  }
}

function isSame(a: ProblemType, b: ProblemType): boolean {
  return a.status === b.status && a.title === b.title && a.help === b.help;
}
