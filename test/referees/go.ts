// Builds and runs the referee in Go, which checks an exported log with code that is not ours.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../support/child-service.ts';

/** Where Debian puts the sources of Go packages. */
const GO_LIBRARIES = '/usr/share/gocode';
const SUMDB = join(GO_LIBRARIES, 'src/golang.org/x/mod/sumdb/tlog');

/** Why there can be no referee here, in one line; undefined when there can. */
export function goIsMissing(): string | undefined {
  if (spawnSync('go', ['version']).status !== 0) return 'no Go here (Debian: golang-go)';
  return existsSync(SUMDB) ? undefined : 'no golang.org/x/mod here (Debian: golang-golang-x-mod-dev)';
}

interface RefereeReport {
  readonly size: number;
  readonly old_size: number;
  readonly entries: number;
  readonly bundles: number;
  readonly hash_tiles: number;
  readonly proofs: number;
  readonly checkpoints: number;
  readonly signatures: number;
}

export type RefereeResult =
  | { readonly ok: true; readonly report: RefereeReport }
  | { readonly ok: false; readonly reason: string };

export class GoReferee {
  readonly #program: string;

  private constructor(program: string) {
    this.#program = program;
  }

  static build(directory: string): GoReferee {
    const program = join(directory, 'referee');
    const env = {
      PATH: process.env['PATH'] ?? '',
      GOCACHE: process.env['GOCACHE'] ?? join(process.env['HOME'] ?? tmpdir(), '.cache/go-build'),
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
      GOPATH: [GO_LIBRARIES, join(ROOT, 'test/referees/gopath')].join(delimiter),
    };
    const { status, stderr } = spawnSync('go', ['build', '-o', program, 'referee'], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the referee does not build: ${stderr}`);
    return new GoReferee(program);
  }

  /** Status 1 is a verdict; any other one but 0 is a fault of the referee. */
  check(directory: string): RefereeResult {
    const { status, stdout, stderr } = spawnSync(this.#program, [directory], { encoding: 'utf8' });
    if (status === 0) return { ok: true, report: JSON.parse(stdout) as RefereeReport };
    if (status === 1 && stderr.startsWith('FAIL ')) return { ok: false, reason: stderr.trim() };
    throw new Error(`the referee ended with ${status}: ${stderr}`);
  }
}
