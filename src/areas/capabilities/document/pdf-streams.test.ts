import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { deflatedPdf, twicePackedPdf } from '../../../../test/support/hostile-files.ts';
import { pdfOf, pdfOfStream } from '../../../../test/support/small-files.ts';
import { pdfFault } from './pdf-streams.ts';

const HALF = deflateSync(Buffer.alloc(20 * 1024 * 1024, ' '));

test('a stream that is packed twice, or unpacks to more than is read, is found however its filters are written', async () => {
  const twice = 'The PDF contains a stream that is compressed more than once.';
  for (const filter of ['[/FlateDecode/FlateDecode]', '[ /Fl\n/LZW ]', '[/#46lateDecode /RunLengthDecode]']) {
    const fault = await pdfFault(pdfOfStream('x', `/Filter ${filter} `));
    assert.deepEqual([fault?.kind, fault?.code, fault?.detail], ['size', 'pdf_too_large', twice], filter);
  }
  assert.equal((await pdfFault(twicePackedPdf()))?.detail, twice);
  assert.match((await pdfFault(deflatedPdf()))?.detail ?? '', /more than 33554432 bytes/);
});

test('what honest files hold is no fault', async () => {
  const files = [
    pdfOf(['Invoice 2026-001']),
    pdfOfStream(HALF, '/Filter /FlateDecode '),
    pdfOfStream('x', '/Filter [/ASCII85Decode /FlateDecode] '),
    pdfOfStream('x', '/Subtype /Image /Filter [/FlateDecode /FlateDecode] '),
    pdfOfStream(HALF.subarray(0, HALF.length / 2), '/Filter /FlateDecode '),
    Buffer.from('a stream of words, endstream'),
    Buffer.alloc(0),
  ];
  for (const file of files) assert.equal(await pdfFault(file), undefined);
});
