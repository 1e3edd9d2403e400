// The packages as their users get them: packed, served by a registry of their scope, installed into an empty project.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { packAll } from '../../scripts/pack/pack-all.ts';
import { ROOT } from '../support/child-service.ts';
import { OUT_OF_REACH } from './registry.ts';

const run = promisify(execFile);

interface Published {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly file: string;
  readonly bytes: Buffer;
}

/** The packed files, and a registry that has nothing else. */
export class Packed implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly #close: () => Promise<void>;

  private constructor(folder: string, url: string, close: () => Promise<void>) {
    this.folder = folder;
    this.url = url;
    this.#close = close;
  }

  /** Packs all unless some are named. */
  static async make(names?: readonly string[]): Promise<Packed> {
    const folder = mkdtempSync(join(tmpdir(), 'avouch-test-packed-'));
    packAll(folder, names);
    return Packed.of(folder, () => rmSync(folder, { recursive: true }));
  }

  /** The packed files that are in a folder already. */
  static async of(folder: string, closed = () => {}): Promise<Packed> {
    const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
    const published = await Promise.all(files.map((file) => readPublished(folder, file)));
    const server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '');
      const tarball = published.find(({ file }) => path === `/${file}`);
      if (tarball !== undefined) return void response.end(tarball.bytes);
      const found = published.find(({ manifest }) => path === `/${manifest.name}`);
      response.statusCode = found === undefined ? 404 : 200;
      response.end(JSON.stringify(found === undefined ? {} : packument(found, `http://${request.headers.host}`)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new Packed(folder, `http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      closed();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  /** The packed file of `@avouch/<name>`. */
  fileOf(name: string): string {
    const file = readdirSync(this.folder).find((one) => one.startsWith(`avouch-${name}-`));
    if (file === undefined) throw new Error(`@avouch/${name} is not packed`);
    return join(this.folder, file);
  }

  /** A copy of a project of this folder with what its lockfile names and these packages; a text says why there is none. */
  async project(name: string, packages: readonly string[]): Promise<Project | string> {
    const folder = mkdtempSync(join(tmpdir(), `avouch-test-${name}-`));
    cpSync(join(ROOT, 'test/outside', name), folder, { recursive: true });
    writeFileSync(join(folder, '.npmrc'), `@avouch:registry=${this.url}/\naudit=false\nfund=false\nloglevel=error\n`);
    const project = new Project(folder);
    try {
      await project.run('npm', 'ci', '--ignore-scripts');
      await project.run('npm', 'install', '--no-save', '--ignore-scripts', ...packages);
      return project;
    } catch (error) {
      rmSync(folder, { recursive: true });
      const { stderr, message } = error as Error & { stderr?: string };
      if (OUT_OF_REACH.test(stderr ?? message)) return 'the package registry cannot be reached';
      throw error;
    }
  }
}

export class Project implements Disposable {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Without anything of the checkout. */
  readonly env: NodeJS.ProcessEnv = { PATH: OUTSIDE_PATH, HOME: process.env.HOME };

  run(command: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
    return run(command, args, { cwd: this.folder, env: this.env });
  }

  /** Writes a file of the project. */
  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** The address that the service says it is ready at. */
export async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('it ended without an address');
}

/** The tools of the machine: what the checkout carries is not there for others. */
const OUTSIDE_PATH = process.env.PATH?.split(':')
  .filter((entry) => !entry.includes('node_modules'))
  .join(':');

async function readPublished(folder: string, file: string): Promise<Published> {
  const { stdout } = await run('tar', ['-xzOf', join(folder, file), 'package/package.json']);
  return { manifest: JSON.parse(stdout) as Published['manifest'], file, bytes: readFileSync(join(folder, file)) };
}

function packument({ manifest, file, bytes }: Published, base: string): object {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const version = { ...manifest, dist: { tarball: `${base}/${file}`, integrity } };
  return { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions: { [manifest.version]: version } };
}
