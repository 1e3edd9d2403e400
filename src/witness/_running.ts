import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '#kernel/clock.ts';
import { parseNote } from '#protocol/note.ts';
import { parseCheckpoint } from '#protocol/checkpoint.ts';
import { ORIGIN, WITNESS } from './_growing-log.ts';
import { openWitnessData } from './identity.ts';
import { knownLogs } from './known-logs.ts';
import type { WitnessState } from './state.ts';
import { Witness } from './witness.ts';
import { sha256Hex } from '#kernel/ids.ts';

export class RunningWitness implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), 'avouch-witness-'));
  readonly clock = new ManualClock();
  readonly reported: string[] = [];
  readonly report = (line: string): void => void this.reported.push(line);
  readonly #vkeys: readonly string[];
  state!: WitnessState;
  witness!: Witness;

  constructor(vkeys: readonly string[]) {
    this.#vkeys = vkeys;
    this.#open();
  }

  #open(): void {
    const { state, cosigner } = openWitnessData(this.directory, WITNESS);
    const logs = knownLogs(this.#vkeys);
    this.state = state;
    this.witness = new Witness({ state, cosigner, logs, clock: this.clock, report: this.report });
  }

  restart(): void {
    this.state[Symbol.dispose]();
    this.#open();
  }

  /** The size that it shows to have cosigned last; undefined for none. */
  size(): number | undefined {
    const { status, text } = this.witness.latest(sha256Hex(ORIGIN));
    return status === 200 ? Number(parseCheckpoint(parseNote(text).text).size) : undefined;
  }

  [Symbol.dispose](): void {
    this.state[Symbol.dispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
