import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootManifest } from '../pack/checkout-files.ts';
import { fixedTar } from '../release/fixed-tar.ts';
import { missingTools } from '../release/installed.ts';
import { writeImageTree } from './image-tree.ts';
import { architecture, writeLayout } from './oci-layout.ts';
import { checkUnderRunc, type RuncCheck } from './runc-check.ts';

const TO_BUILD = ['tar', 'strip', 'ldd', 'dpkg-query'];
const TO_CHECK = ['umoci', 'runc'];

export interface BuiltImage {
  readonly file: string;
  readonly digest: string;
  readonly bytes: number;
  /** Name and version of each package of Debian that libraries come from. */
  readonly debianPackages: readonly string[];
  readonly check: RuncCheck | null;
}

/** Why an image cannot be built or run here; false where it can. */
export function imageObstacle({ run = true } = {}): string | false {
  if (process.platform !== 'linux') return 'the image is built on Linux';
  const missing = missingTools(...TO_BUILD, ...(run ? TO_CHECK : []));
  return missing || (run && process.getuid?.() !== 0 && 'runc needs root');
}

/** Writes the image as an archive of the OCI layout into the folder; unless told otherwise it runs it once. */
export async function buildImage(out: string, { run = true } = {}): Promise<BuiltImage> {
  const work = mkdtempSync(join(tmpdir(), 'avouch-image-'));
  try {
    const [tar, layout] = [join(work, 'root.tar'), join(work, 'oci')];
    const debianPackages = writeImageTree(join(work, 'root'), tar);
    const digest = writeLayout(layout, tar);
    const check = run ? await checkUnderRunc(layout, work) : null;
    mkdirSync(out, { recursive: true });
    const file = `avouch-${rootManifest().version}-${architecture}.oci.tar`;
    fixedTar(join(out, file), layout, [{ names: ['blobs', 'index.json', 'oci-layout'] }]);
    return { file, digest, bytes: statSync(join(out, file)).size, debianPackages, check };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
