import { INCIDENTS, type Incident, type IncidentKey } from './incidents.ts';
import { EVIDENCE_AS_OF } from './thresholds.ts';

/** A publication whose figures stand behind a control. */
export interface Study {
  readonly title: string;
  readonly status: string;
  readonly source: string;
  readonly as_of: string;
}

const as_of = EVIDENCE_AS_OF;

export const STUDIES = {
  MAST3: {
    title: 'Why Do Multi-Agent LLM Systems Fail?, version 3: 1,642 traces of 7 frameworks',
    status: 'conference paper (NeurIPS 2025 D&B); earlier versions have other percentages',
    source: 'Cemri et al., arXiv 2503.13657v3',
    as_of,
  },
  COOP: {
    title: 'CooperBench: 652 tasks for pairs of agents, and the report on the full set of 2026-05-23',
    status: 'preprint and report of its authors',
    source: 'Khatua, Zhu et al., arXiv 2601.13295',
    as_of,
  },
  KIM: {
    title: 'Towards a Science of Scaling Agent Systems: 180 configurations',
    status: 'preprint',
    source: 'Kim et al., arXiv 2512.08296',
    as_of,
  },
  ANTH: {
    title: 'How we built our multi-agent research system',
    status: 'a vendor on its own system',
    source: 'Anthropic, 2025-06',
    as_of,
  },
  TAU: {
    title: 'tau-bench',
    status: 'benchmark paper',
    source: 'Yao et al., arXiv 2406.12045',
    as_of,
  },
  ROT: {
    title: 'Context Rot',
    status: 'technical report by a vendor',
    source: 'Hong, Troynikov, Huber, Chroma 2025-07',
    as_of,
  },
  META: {
    title: 'Metastable Failures in the Wild',
    status: 'conference paper (OSDI 2022)',
    source: 'Huang et al., OSDI 2022',
    as_of,
  },
  PART: {
    title: 'An Analysis of Network-Partitioning Failures in Cloud Systems',
    status: 'conference paper (OSDI 2018)',
    source: 'Alquraan et al., OSDI 2018',
    as_of,
  },
  AIDEV: {
    title: 'Where Do AI Coding Agents Fail?, on 33,000 pull requests of agents, and a second paper on the same data',
    status: 'preprints',
    source: 'Ehsani et al., arXiv 2601.15195; Abujadallah et al., arXiv 2606.13468',
    as_of,
  },
} as const satisfies Readonly<Record<string, Study>>;

type StudyKey = keyof typeof STUDIES;
export type EvidenceKey = StudyKey | IncidentKey;

/** A study or an incident as a finding cites it: always with how good the evidence is. */
export function shownEvidence(key: EvidenceKey) {
  const study: Study | undefined = key in STUDIES ? STUDIES[key as StudyKey] : undefined;
  const { name, status, source }: Pick<Incident, 'name' | 'status' | 'source'> =
    study === undefined ? INCIDENTS[key as IncidentKey] : { ...study, name: study.title };
  return { key, name, status, source };
}
