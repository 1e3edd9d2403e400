import { answering, on, type OpenArea } from '#kernel/area.ts';
import type { Job } from '#kernel/job.ts';
import { WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { ReferenceForm } from '#kernel/reference-form.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import type { Platform, PlatformArea } from '#platform/platform.ts';
import { expiryJob } from '#platform/storage/expiry.ts';
import { logEntry, logExplorer, logHeads, verifierPage } from './explorer/explorer-operations.ts';
import { Explorer } from './explorer/explorer.ts';
import { logHeadsHtml } from './explorer/heads-page.ts';
import { CoseReceipts } from './log/cose-receipts.ts';
import { LogPages } from './log/ledger.ts';
import * as log from './log/log-operations.ts';
import { LogReads } from './log/log-reads.ts';
import * as cose from './log/receipt-operations.ts';
import { lookup } from './lookup-operation.ts';
import * as sealing from './operations.ts';
import type { PaidFees } from './port.ts';
import { logForms, References } from './references.ts';
import { schemaDocuments } from './schema-documents.ts';
import { Seals } from './seals.ts';
import { taskRoutes } from './task-routes.ts';
import { verifyReference } from './tools.ts';
import { forgetRejects, paidFees, useExpiry } from './unit.ts';
import { Verifications } from './verifications.ts';
import * as verifying from './verify-operations.ts';

export interface AttestationNeeds {
  /** Whose key it is. */
  readonly authenticate: Authenticate;
  /** The references that all areas issue. */
  readonly references: () => readonly ReferenceForm[];
}

export interface OpenAttestation extends OpenArea {
  readonly seals: Seals;
  readonly paidFees: PaidFees;
  readonly verifications: Verifications;
  readonly logReads: LogReads;
  readonly ledger: LogPages;
  readonly receipts: CoseReceipts;
  readonly explorer: Explorer;
  readonly finder: References;
  readonly jobs: readonly Job[];
}

export const attestationArea = {
  name: 'attestation',
  open: openAttestation,
  operations: [
    on(sealing.seal, ({ seals }, input) => seals.submit(input)),
    on(sealing.erase, ({ seals }, input) => seals.erase(input.attestation_id, input.disclosure_seed)),
    on(verifying.verifyEntry, ({ verifications }, input) => verifications.verify(input.attestation_id, input.format)),
    on(verifying.verifyBundle, ({ verifications }, input) => verifications.verifyBundle(input)),
    on(lookup, ({ seals }, { sha256 }) => seals.lookup(sha256)),
    on(log.ledger, ({ ledger }, input, call) => ledger.read(input, call.mediaType)),
    on(log.stream, ({ ledger }, input) => ledger.watch(input)),
    on(log.treeHead, ({ logReads }, input) => logReads.treeHead(input.first)),
    on(log.audit, ({ logReads }, input) => logReads.audit(input.from, input.to)),
    on(sealing.schemas, (_area, { digest }) => schemaDocuments(digest)),
    on(log.checkpoint, ({ logReads }) => logReads.checkpoint()),
    on(log.witnessedCheckpoint, ({ logReads }) => logReads.witnessedCheckpoint()),
    on(log.tile, ({ logReads }, input) => logReads.tile(input.tile)),
    on(cose.entryReceipt, ({ receipts }, input, call) => receipts.ofEntry(input.attestation_id, call.mediaType)),
    on(cose.consistency, ({ receipts }, input, call) => receipts.ofGrowth(input.first, input.second, call.mediaType)),
    on(cose.receiptKeys, ({ receipts }) => receipts.keySet()),
    on(cose.receiptKey, ({ receipts }, input) => receipts.key(input.kid)),
    on(logExplorer, ({ explorer }, input) => explorer.show(input)),
    on(logHeads, async ({ explorer }, input, call) => {
      const found = await explorer.heads(input);
      const { older = 0, newer = older } = input;
      if (found instanceof Refusal || !call.wantsPage || older <= newer) return found;
      return new WithPage(found, (site) => logHeadsHtml(found, site, { isSwapped: true }));
    }),
    on(logEntry, ({ explorer }, input) => explorer.entry(input.ref)),
    on(verifierPage, ({ explorer }, { example }) => explorer.verifyKeys(example)),
  ],
  tools: [answering(verifyReference, ({ finder }, { ref }) => finder.verify(ref), { after: 'get_evidence' })],
  forget: forgetRejects,
} satisfies PlatformArea<OpenAttestation, AttestationNeeds>;

function openAttestation(platform: Platform, { authenticate, references }: AttestationNeeds): OpenAttestation {
  const { store, clock, baseUrl, sandbox, serverSecret, registers, erase, publishedKeys: keys } = platform;
  const { log: publicLog, publisher, audit, receiptKeys } = platform.log;
  const seals = new Seals({
    store,
    log: publicLog,
    clock,
    baseUrl,
    sandbox,
    erase,
    rejectHash: serverSecret.hasher('reject-index'),
    keyHash: serverSecret.hasher('seal-idempotency'),
    observe: registers.observe,
    authenticate,
  });
  const verifications = new Verifications({
    log: publicLog,
    clock,
    witnessed: () => publisher.witnessed(),
  });
  const finder = new References({ clock, sandbox, baseUrl, verifications, forms: references });
  return {
    seals,
    paidFees,
    verifications,
    finder,
    ledger: new LogPages({ log: publicLog }),
    receipts: new CoseReceipts({ log: publicLog, keys: receiptKeys, baseUrl }),
    logReads: new LogReads({ log: publicLog, clock, publisher, baseUrl, keys, audit }),
    explorer: new Explorer({ log: publicLog, verifications, find: (text) => finder.find(text), baseUrl, keys }),
    references: logForms(publicLog),
    taskRoutes: taskRoutes(seals, verifications),
    jobs: [expiryJob('seal-sweep', { store, clock }, useExpiry)],
  };
}
