import { refuseFields } from '#kernel/general-problems.ts';
import { FileResponse, WithHeaders } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { OpenLog } from '#platform/log/open-log.ts';
import type { LogHead, PublicLog } from '#platform/log/public-log.ts';
import { encodeCbor } from '#protocol/cbor.ts';
import { consistencyReceipt, coseKey, coseKeyThumbprint, inclusionReceipt } from '#protocol/cose-receipt.ts';
import * as problems from '../problems.ts';
import { entryNotFound, proofFile } from '../proof-file.ts';
import { beyond } from './ledger.ts';
import { JSON_MEDIA } from './receipt-operations.ts';

export interface CoseReceiptsOptions {
  readonly log: PublicLog;
  readonly keys: OpenLog['receiptKeys'];
  readonly baseUrl: () => string;
}

type Answered = WithHeaders<string> | Refusal;

/** Proofs of the log as COSE receipts, made when they are asked for and never stored. */
export class CoseReceipts {
  readonly #options: CoseReceiptsOptions;

  constructor(options: CoseReceiptsOptions) {
    this.#options = options;
  }

  async ofEntry(attestationId: string, mediaType: string): Promise<Answered> {
    const { log, keys } = this.#options;
    const stored = await log.entryOf(attestationId);
    if (stored === undefined) return entryNotFound();
    const head = await log.follow();
    const { seq: index, leaf } = stored;
    if (head.size < 2) return new Refusal(problems.noReceiptYet, { detail: 'The log has one entry.' });
    const hashes = log.inclusionPath(index, head.size);
    if (mediaType === JSON_MEDIA) {
      const { size, checkpoint } = head;
      const inclusion = { tree_size: size, index, hashes };
      const proof = proofFile(leaf, { seq: index, path: hashes, checkpoint });
      const entry = Buffer.from(leaf).toString('base64');
      return jsonFile({ attestation_id: attestationId, entry, inclusion, checkpoint, proof });
    }
    const proof = { treeSize: head.size, index, path: hashes.map(fromBase64), root: rootOf(head) };
    return chosen(bytesAnswer(inclusionReceipt(proof, this.#log(), keys.current())));
  }

  async ofGrowth(first: number, wanted: number | undefined, mediaType: string): Promise<Answered> {
    const { log, keys } = this.#options;
    const head = await log.follow();
    const second = wanted ?? head.size;
    if (first > head.size || second > head.size) return beyond(head.size);
    if (first >= second) {
      const detail = 'first must be smaller than second, which is the current size unless you give it.';
      return refuseFields([{ pointer: '#/first', code: 'out_of_range', detail }]);
    }
    const rootHex = log.rootHexAt(second);
    if (rootHex === undefined) return beyond(head.size);
    const hashes = log.consistencyProof(first, second);
    if (mediaType === JSON_MEDIA) return jsonFile({ first, second, root_hash: rootHex, hashes });
    const proof = { first, second, path: hashes.map(fromBase64), root: Buffer.from(rootHex, 'hex') };
    return chosen(bytesAnswer(consistencyReceipt(proof, this.#log(), keys.current())));
  }

  keySet(): string {
    return bytesAnswer(encodeCbor(this.#options.keys.all().map(coseKey)));
  }

  key(kid: string): string | Refusal {
    const known = this.#options.keys
      .all()
      .find((key) => Buffer.from(coseKeyThumbprint(key)).toString('base64url') === kid);
    if (known !== undefined) return bytesAnswer(encodeCbor(coseKey(known)));
    return new Refusal(problems.unknownReceiptKey, { detail: 'No key of this log has this id.' });
  }

  /** A sandbox names its own address, so that its receipts fail where the real one is asked for. */
  #log() {
    return { iss: this.#options.baseUrl(), sub: this.#options.log.origin };
  }
}

function rootOf({ rootHex }: LogHead): Uint8Array {
  return Buffer.from(rootHex, 'hex');
}

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

/** The media type says bytes; the row's text type stands for them. */
function bytesAnswer(bytes: Uint8Array): string {
  return bytes as unknown as string;
}

/** Accept chose the form. */
function chosen(answer: string | FileResponse): WithHeaders<string> {
  return new WithHeaders(['vary', 'Accept'], answer);
}

function jsonFile(value: object): WithHeaders<string> {
  return chosen(new FileResponse(JSON_MEDIA, JSON.stringify(value)));
}
