import { type About, common, offersPath } from './about.ts';
import { asOffered, type SurfaceId, surfacesOf, type Without } from './surfaces.ts';

interface Pillar {
  readonly id: string;
  readonly name: string;
  readonly what: string;
  readonly without?: Without<Pick<Pillar, 'what'>>;
  readonly maturity: 'live' | 'pilot' | 'design';
  readonly claimable: boolean;
  readonly claimable_as: string | null;
  readonly surfaces: readonly SurfaceId[];
  /** Paths that show it. */
  readonly evidence: readonly string[];
}

const PILLARS: readonly Pillar[] = [
  {
    id: 'verification',
    name: 'Verification',
    maturity: 'live',
    claimable: true,
    claimable_as: null,
    what: 'Paid verdicts with signed receipts.',
    without: { tag: 'verdicts', words: { what: 'Checks of what an agent declares, before it pays.' } },
    surfaces: ['verdicts'],
    evidence: ['/.well-known/x402', '/v1/sanctions/quality'],
  },
  {
    id: 'coordination',
    name: 'Coordination',
    maturity: 'live',
    claimable: true,
    claimable_as: null,
    what: 'Leases, briefs and bounties.',
    without: { tag: 'bounties', words: { what: 'Leases and briefs.' } },
    surfaces: ['crossing', 'briefs'],
    evidence: ['/coordination/manifest', '/v1/coordination/protocol'],
  },
  {
    id: 'attestation',
    name: 'Attestation',
    maturity: 'live',
    claimable: true,
    claimable_as: null,
    what: 'Seals and the public log.',
    surfaces: ['attestation'],
    evidence: ['/astralock/checkpoint', '/api/astralock/audit'],
  },
  {
    id: 'mandates',
    name: 'Mandates',
    maturity: 'pilot',
    claimable: true,
    claimable_as: 'a draft, version 0',
    what: 'Mandates, verified and sealed.',
    surfaces: ['mandates'],
    evidence: ['/api/attest/schemas'],
  },
  {
    id: 'commerce',
    name: 'Commerce',
    maturity: 'pilot',
    claimable: true,
    claimable_as: 'within phase A',
    what: 'Tasks, capabilities, wallet and orders.',
    surfaces: ['wallet', 'tasks', 'capabilities', 'orders'],
    evidence: ['/economy/manifest', '/capabilities/manifest'],
  },
  {
    id: 'construction',
    name: 'Construction',
    maturity: 'live',
    claimable: true,
    claimable_as: null,
    what: 'Tools for open data on construction.',
    surfaces: ['data'],
    evidence: ['/system/status'],
  },
  {
    id: 'robotics',
    name: 'Robotics',
    maturity: 'design',
    claimable: false,
    claimable_as: null,
    what: 'Machine work under mandates and seals. Nothing is offered yet.',
    surfaces: [],
    evidence: [],
  },
];

/** What may be said of each part. A pillar of which this installation offers nothing is design, whatever it is elsewhere. */
export function pillars(about: About) {
  const offered = surfacesOf(about);
  return {
    ...common(about, 'pillars', '/api/strategy/pillars'),
    pillars: PILLARS.map((pillar) => {
      const { id, name, maturity, claimable, claimable_as, surfaces, evidence } = pillar;
      const own = offered.filter((surface) => surfaces.includes(surface.id));
      const exists = own.length > 0;
      return {
        id,
        name,
        what: asOffered<Pillar>(pillar, about.operations).what,
        maturity: exists ? maturity : 'design',
        claimable: exists && claimable,
        claimable_as: exists ? claimable_as : null,
        evidence: evidence.filter((path) => exists && offersPath(about, path)).map((path) => about.baseUrl + path),
        surfaces: own.map((surface) => surface.id),
      };
    }),
    claimable_false_means: 'It may not be marketed as live (rule robotics_claims).',
    promotion_rule:
      'A pillar moves from design to pilot or live only with a sealed protocol.statement.v1 that names the completed paid pilot.',
  };
}
