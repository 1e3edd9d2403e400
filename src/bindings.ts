import { type AttestationParts, bindAttestation } from '#areas/attestation/bind.ts';
import { bindAudits } from '#areas/audits/bind.ts';
import * as crossing from '#areas/crossing/operations.ts';
import type { Crossing } from '#areas/crossing/service.ts';
import * as discovery from '#areas/discovery/operations.ts';
import { type Component, Discovery } from '#areas/discovery/service.ts';
import type { Config } from '#config/config.ts';
import { openApiDocument } from '#kernel/openapi.ts';
import { type BoundOperation, bind, type Operation } from '#kernel/operation.ts';
import { publishedKeys } from '#keys/key-view.ts';
import type { PublicLog } from '#log/public-log.ts';
import type { Publisher } from '#log/publisher.ts';
import type { RegisterSet } from '#registers/register-set.ts';
import type { Trail } from '#trail/trail.ts';
import type { Background } from './background.ts';
import type { Foundation } from './foundation.ts';
import { allProblems, checkTable, OPERATIONS, promisedProblems } from './operations.ts';
import type { TrailAnchors } from './trail-anchors.ts';
import { VERSION } from './version.ts';

export interface Parts extends AttestationParts {
  readonly config: Config;
  readonly foundation: Foundation;
  readonly trail: Trail;
  readonly anchors: TrailAnchors;
  readonly background: Background;
  readonly log: PublicLog;
  readonly publisher: Publisher;
  readonly registers: RegisterSet;
  /** Of the published policy. */
  readonly witnessLines: string;
  readonly crossing: Crossing;
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
    registers: () => parts.registers.health().map(([id, health]) => ({ id, health })),
    storage: store.status(),
    linesLost: () => trail.status().linesLost,
    lastAnchorMs: () => parts.anchors.lastAnchorMs(),
    keys: () => publishedKeys(keyRing, parts.log.origin),
    log: { origin: parts.log.origin, vkeys: () => parts.log.vkeys(), witnessLines: parts.witnessLines },
    openApi: () => openApi(config, baseUrl()),
  });
  const bound = [
    bind(crossing.claim, (input, call) => parts.crossing.claim(input, call)),
    bind(crossing.release, (input) => parts.crossing.release(input)),
    ...bindAudits(),
    ...bindAttestation(parts),
    bind(discovery.health, () => about.health()),
    bind(discovery.status, () => about.status()),
    bind(discovery.keyDocument, () => about.keyDocument()),
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

function components({ foundation, trail, background, publisher }: Parts, startedAtMs: number): Component[] {
  const { state, sinceMs } = foundation.store.status();
  const beat = background.lastBeat();
  const [lacking] = foundation.keyRing.missing();
  const witnesses = publisher.witnessStatus();
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
    {
      ...up,
      id: 'signer',
      required: true,
      ...(lacking !== undefined && {
        status: 'down',
        detail: `the file of ${lacking.scope} key ${lacking.keyId} is not on this machine, entries of the log are refused`,
      }),
    },
    {
      ...up,
      id: 'audit_trail',
      required: true,
      ...(trail.failing && { status: 'down', detail: 'calls cannot be recorded, writes are refused' }),
    },
    {
      ...up,
      id: 'witnesses',
      required: false,
      status: witnesses,
      detail: witnesses === 'degraded' ? 'the newest checkpoint that witnesses were asked for has no quorum' : null,
    },
  ];
}

function openApi(config: Config, baseUrl: string): Record<string, unknown> {
  return openApiDocument(
    {
      title: config.serviceName,
      version: '1.1.0',
      description: 'Verification, coordination and attestation for AI agents.',
      contactName: config.operator.name,
      contactUrl: config.operator.contact,
      baseUrl,
      tags: [
        { name: 'crossing', description: 'Leases on shared work' },
        { name: 'audits', description: 'Verdicts on spending and on working together, computed from what is declared' },
        { name: 'attestation', description: 'Seals in a public log that anyone can verify' },
        { name: 'discovery', description: 'What the service is and how it is' },
      ],
    },
    OPERATIONS.map((operation) => ({ operation, problems: promisedProblems(operation) })),
  );
}
