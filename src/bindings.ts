import { type AttestationParts, bindAttestation } from '#areas/attestation/bind.ts';
import { bindAudits } from '#areas/audits/bind.ts';
import * as crossing from '#areas/crossing/operations.ts';
import type { Crossing } from '#areas/crossing/service.ts';
import * as discovery from '#areas/discovery/operations.ts';
import { didDocument, didDocumentOf, x402Discovery, x402Document } from '#areas/discovery/payment-documents.ts';
import { type Component, Discovery } from '#areas/discovery/service.ts';
import type { Config } from '#config/config.ts';
import { openApiDocument } from '#kernel/openapi.ts';
import { type BoundOperation, bind, type Operation } from '#kernel/operation.ts';
import type { PublicLog } from '#log/public-log.ts';
import type { SettlementBackend } from '#payments/settlement.ts';
import type { PaymentTerms } from '#payments/terms.ts';
import type { Trail } from '#trail/trail.ts';
import type { Background } from './background.ts';
import type { Foundation } from './foundation.ts';
import { allProblems, checkTable, OPERATIONS, promisedProblems } from './operations.ts';
import type { PaidCalls } from './paid-calls.ts';
import type { TrailAnchors } from './trail-anchors.ts';
import { VERSION } from './version.ts';

export interface Parts extends AttestationParts {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly trail: Trail;
  readonly anchors: TrailAnchors;
  readonly background: Background;
  readonly log: PublicLog;
  readonly crossing: Crossing;
  readonly paidCalls: PaidCalls;
  readonly settlement: SettlementBackend | undefined;
  readonly baseUrl: () => string;
}

/** Binds every row of the table to the service that answers it. */
export function bindAreas(parts: Parts): BoundOperation[] {
  checkTable(OPERATIONS);
  const { config, foundation, trail, baseUrl } = parts;
  const { clock, store, keyRing } = foundation;
  const startedAtMs = clock.now();
  const about = new Discovery({
    clock,
    startedAtMs,
    identity: { name: config.serviceName, version: VERSION, sandbox: config.profile === 'sandbox' },
    baseUrl,
    endpoints: OPERATIONS.flatMap(endpointsOf),
    problems: allProblems().map((problem) => ({ ...problem, operations: operationsWith(problem.code) })),
    components: () => components(parts, startedAtMs),
    storage: store.status(),
    linesLost: () => trail.status().linesLost,
    lastAnchorMs: () => parts.anchors.lastAnchorMs(),
    keys: () => keyRing.records(),
    log: { origin: parts.log.origin, vkey: parts.log.vkey },
    openApi: () => openApi(config, parts.paidCalls.terms, baseUrl()),
  });
  const x402Resources = x402Document(OPERATIONS);
  const bound = [
    bind(crossing.claim, (input, call) => parts.crossing.claim(input, call)),
    bind(crossing.release, (input) => parts.crossing.release(input)),
    ...bindAudits(),
    ...parts.paidCalls.bound,
    ...bindAttestation(parts),
    bind(discovery.health, () => about.health()),
    bind(discovery.status, () => about.status()),
    bind(discovery.keyDocument, () => about.keyDocument()),
    bind(didDocument, () => didDocumentOf(parts.paidCalls.did(), parts.paidCalls.didKeys())),
    bind(x402Discovery, () => x402Resources),
    bind(discovery.openApi, () => about.openApi()),
    bind(discovery.problemPage, ({ code }) => about.problem(code)),
  ];
  const unbound = OPERATIONS.filter((row) => !bound.some(({ operation }) => operation === row));
  if (unbound.length > 0) throw new Error(`no handler for ${unbound.map((row) => row.operationId).join(', ')}`);
  return bound;
}

function endpointsOf({ method, path, alsoPost }: Operation): { method: string; path: string }[] {
  const methods = [method, ...(alsoPost ? ['post'] : [])];
  return methods.map((name) => ({ method: name.toUpperCase(), path }));
}

function operationsWith(code: string): string[] {
  const rows = OPERATIONS.filter((row) => promisedProblems(row).some((problem) => problem.code === code));
  return rows.map((row) => row.operationId);
}

function components({ foundation, trail, background, settlement }: Parts, startedAtMs: number): Component[] {
  const { state, sinceMs } = foundation.store.status();
  const beat = background.lastBeat();
  const up = { status: 'up', sinceMs: startedAtMs, lastCheckMs: null, latencyMs: null, detail: null } as const;
  return [
    { ...up, id: 'http', required: true },
    {
      id: 'storage',
      required: true,
      status: state,
      sinceMs,
      lastCheckMs: beat?.okAtMs ?? null,
      latencyMs: beat === undefined ? null : Math.round(beat.latencyMs * 100) / 100,
      detail: state === 'up' ? null : 'writes cannot be committed',
    },
    { ...up, id: 'signer', required: true },
    {
      ...up,
      id: 'audit_trail',
      required: true,
      ...(trail.failing && { status: 'down', detail: 'calls cannot be recorded, writes are refused' }),
    },
    { ...up, id: 'settlement', required: false, ...settlementState(settlement) },
  ];
}

function settlementState(backend: SettlementBackend | undefined): Pick<Component, 'status' | 'detail'> {
  if (backend === undefined) return { status: 'not_configured', detail: 'paid calls are refused uncharged' };
  const { state, detail } = backend.status();
  return { status: state, detail };
}

function openApi(config: Config, { network, asset }: PaymentTerms, baseUrl: string): Record<string, unknown> {
  return openApiDocument(
    {
      title: config.serviceName,
      version: '1.1.0',
      description: 'Verification, coordination and attestation for AI agents.',
      contactName: config.operator.name,
      contactUrl: config.operator.contact,
      baseUrl,
      payment: { network, asset },
      tags: [
        { name: 'crossing', description: 'Leases on shared work' },
        { name: 'verdicts', description: 'Verdicts on companies and vehicles from public registers' },
        { name: 'audits', description: 'Verdicts on spending and on working together, computed from what is declared' },
        { name: 'attestation', description: 'Seals in a public log that anyone can verify' },
        { name: 'payments', description: 'What became of a payment, and whether a receipt is ours' },
        { name: 'discovery', description: 'What the service is and how it is' },
      ],
    },
    OPERATIONS.map((operation) => ({ operation, problems: promisedProblems(operation) })),
  );
}
