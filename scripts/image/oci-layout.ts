import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rootManifest } from '../pack/checkout-files.ts';
import { USER } from './image-tree.ts';

const TYPE = 'application/vnd.oci.image';
/** What OCI calls the processors that Node names otherwise. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' };

export const architecture = ARCHITECTURES[process.arch] ?? process.arch;

interface Blob {
  readonly digest: string;
  readonly size: number;
}

/** Writes an image of one layer in the OCI layout, and gives the digest of its manifest. */
export function writeLayout(folder: string, tar: string): string {
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  const content = readFileSync(tar);
  const layer = store(folder, gzipSync(content, { level: 9 }));
  const config = storeJson(folder, configOf(digestOf(content)));
  const manifest = storeJson(folder, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: { mediaType: `${TYPE}.config.v1+json`, ...config },
    layers: [{ mediaType: `${TYPE}.layer.v1.tar+gzip`, ...layer }],
  });
  const { version } = rootManifest();
  const index = {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: [
      {
        mediaType: `${TYPE}.manifest.v1+json`,
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version },
      },
    ],
  };
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  return manifest.digest;
}

function configOf(layerDigest: string): object {
  const { version, license } = rootManifest();
  return {
    created: '1970-01-01T00:00:00Z',
    architecture,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '8402/tcp': {} },
      Env: [
        'PATH=/usr/bin',
        'HOST=0.0.0.0',
        'DATA_DIR=/var/lib/avouch',
        // Compiled modules halve a start; the program's own folder cannot be written.
        'NODE_COMPILE_CACHE=/var/cache/avouch',
      ],
      Entrypoint: ['node', 'bin/avouch.mjs'],
      Cmd: ['serve'],
      Volumes: { '/var/lib/avouch': {} },
      WorkingDir: '/opt/avouch',
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'avouch',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': license,
      },
    },
    rootfs: { type: 'layers', diff_ids: [layerDigest] },
    history: [{ created: '1970-01-01T00:00:00Z', created_by: 'deploy/image.sh' }],
  };
}

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function store(folder: string, bytes: Uint8Array): Blob {
  const digest = digestOf(bytes);
  writeFileSync(join(folder, 'blobs', digest.replace(':', '/')), bytes);
  return { digest, size: bytes.length };
}

function storeJson(folder: string, value: object): Blob {
  return store(folder, Buffer.from(JSON.stringify(value)));
}
