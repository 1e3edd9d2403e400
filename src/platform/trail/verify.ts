import { AnchorCheck, type TrailAnchor } from './anchor-check.ts';
import { ChainCheck } from './chain-check.ts';
import {
  type TrailFaultCode,
  TrailFindings,
  type TrailProcessReport,
  type TrailReport,
  type TrailWarningCode,
} from './report.ts';
import { listSegments, type SegmentFile } from './segment.ts';
import { trailIdIn } from './trail-id.ts';

/** Told how many segments were read again, and how many there are. */
export type TrailProgress = (done: number, total: number) => void;

/**
 * Re-reads every segment of a directory and says what is wrong. Changes nothing and needs memory for one line only.
 * Without anchors a trail that was cut short, or rewritten to its end, cannot be told from a shorter or another one.
 */
export async function verifyTrail(
  dir: string,
  anchors: readonly TrailAnchor[] = [],
  onProgress?: TrailProgress,
): Promise<TrailReport> {
  const faults = new TrailFindings<TrailFaultCode>('more_faults');
  const warnings = new TrailFindings<TrailWarningCode>('more_warnings');
  const { segments, strangers } = await listOrFault(dir, faults);
  const compared = new AnchorCheck(trailIdIn(dir), anchors);
  for (const file of strangers) {
    warnings.add({ file, line: null, code: 'unknown_file', detail: 'The file is not a segment and was not checked.' });
  }
  const processes: TrailProcessReport[] = [];
  let done = 0;
  const onSegment = () => onProgress?.((done += 1), segments.length);
  for (const [process, files] of Map.groupBy(segments, (segment) => segment.process)) {
    const onSeal = (line: number, hash: string) => compared.seen({ process, line, hash });
    processes.push(await new ChainCheck(process, { faults, warnings, onSeal }).check(files, onSegment));
  }
  compared.report(faults, warnings);
  const found = faults.list();
  if (segments.length === 0 && found.length === 0) {
    const detail = 'The directory holds no segment: there is nothing to verify.';
    warnings.add({ file: null, line: null, code: 'no_segments', detail });
  }
  return { ok: found.length === 0, processes, anchors: compared.count, faults: found, warnings: warnings.list() };
}

type Listing = { readonly segments: readonly SegmentFile[]; readonly strangers: readonly string[] };

async function listOrFault(dir: string, faults: TrailFindings<TrailFaultCode>): Promise<Listing> {
  try {
    return await listSegments(dir);
  } catch (fault) {
    const isMissing = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
    if (!isMissing) throw fault;
    faults.add({
      file: null,
      line: null,
      code: 'directory_missing',
      detail: 'The directory of the trail does not exist.',
    });
    return { segments: [], strangers: [] };
  }
}
