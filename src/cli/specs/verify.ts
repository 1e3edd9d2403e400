import type { CommandSpec } from '../line/spec.ts';
import { URL_OPTION, VKEY_OPTION } from './options.ts';

const KEY_SOURCE = 'Take the keys from this service. Prefer a key that you know from elsewhere';
const LONG = 'Shows its progress when standard error is a terminal.';

export const VERIFY: readonly CommandSpec[] = [
  {
    name: 'verify',
    summary: 'Verify a seal, proof file or ledger page offline',
    notes: [
      'A file needs --vkey (a key that you trust) or --url (to fetch the key). An attestation id is fetched first, then verified like a file.',
    ],
    operands: [
      {
        name: 'file or attestation id',
        help: 'The output of `avouch seal`, a .tlog-proof file, a ledger page, ATT- and 52 characters, or a COSE receipt',
      },
    ],
    options: [
      VKEY_OPTION,
      { ...URL_OPTION, help: `${KEY_SOURCE}. With an id: where it is fetched` },
      { name: 'id', value: '<attestation id>', help: 'Require that the file proves this entry. Files only' },
      { name: 'cose', help: 'The file is a COSE receipt (RFC 9942). Needs --key, and --entry or --root' },
      { name: 'entry', value: '<file>', help: 'The entry of the COSE receipt, byte for byte' },
      { name: 'root', value: '<hex>', help: 'The older root, for a COSE receipt that the log only grew' },
      { name: 'key', value: '<file>', help: 'COSE keys that you trust, as /.well-known/scitt-keys has them' },
      { name: 'issuer', value: '<url>', help: 'Require that the COSE receipt names this service' },
      { name: 'log', value: '<origin>', help: 'Require that the COSE receipt names this log' },
      { name: 'ignore-claim', help: 'Do not compare the claim: for a file from which it was removed' },
    ],
    json: 'Print every check and the result as one JSON document.',
    exits: { 1: 'verification failed, or failed' },
    examples: [
      './avouch verify contract.seal.json --vkey attest.example/astralock+890106d5+AbcD...',
      './avouch verify ATT-E6V5....tlog-proof --url https://attest.example --id ATT-E6V5...',
      './avouch verify ATT-E6V5YUMJRAFE3HZG3JGSRTZPZ42GISEAMANQPA7O56S3WAMZQRFA --url https://attest.example',
      './avouch verify --cose receipt.cose --entry entry.bin --key scitt-keys.cbor --issuer https://attest.example --log attest.example/astralock',
    ],
    load: async () => (await import('../verify.ts')).verify,
  },
  {
    name: 'verify-receipt',
    summary: 'Verify a signed receipt offline',
    notes: [
      'Needs --key or --url. Give the whole response: a receipt alone does not show that the response is the signed one.',
    ],
    operands: [{ name: 'file', help: 'A response with its receipt, or a receipt alone, in JSON' }],
    options: [
      { name: 'key', value: '<public key>', help: 'The receipt key that you trust, in base64' },
      { name: 'url', value: '<url>', help: KEY_SOURCE },
      {
        name: 'request',
        value: '<path and query>',
        help: 'Check that the receipt is for this request, such as /v1/eu-vat-check?vat_number=NL1',
      },
      { name: 'sandbox', help: 'Accept a receipt of a sandbox' },
    ],
    json: 'Print every check and the outcome as one JSON document.',
    exits: { 3: 'signature valid, but the response or the signer is not covered' },
    examples: [
      './avouch verify-receipt answer.json --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
      "./avouch verify-receipt answer.json --url https://avouch.example --request '/v1/eu-vat-check?vat_number=NL1'",
    ],
    load: async () => (await import('../verify-receipt.ts')).verifyReceipt,
  },
  {
    name: 'fsck',
    summary: 'Rebuild a log over HTTP and verify it against its signatures',
    notes: [LONG],
    operands: [{ name: 'url', help: 'Address of the service whose log is rebuilt' }],
    options: [VKEY_OPTION],
    json: 'Print the report as one JSON document.',
    exits: { 1: 'the log is broken, or failed' },
    examples: [
      './avouch fsck http://127.0.0.1:8402',
      './avouch fsck https://attest.example --vkey attest.example/astralock+890106d5+AbcD...',
    ],
    load: async () => (await import('../fsck.ts')).fsck,
  },
  {
    name: 'audit-trail',
    summary: 'Verify that no line of the audit trail was changed, removed or reordered',
    examples: ['./avouch audit-trail verify'],
    subcommands: [
      {
        name: 'verify',
        summary: 'Verify the audit trail',
        notes: [
          `Without a directory, the trail in DATA_DIR is also compared with the anchors in the public log. ${LONG}`,
        ],
        operands: [{ name: 'directory', help: 'A trail from any installation, verified alone', isOptional: true }],
        json: 'Print the report as one JSON document.',
        exits: { 1: 'the audit trail is broken, or failed' },
        examples: ['./avouch audit-trail verify', './avouch audit-trail verify /backup/trail'],
        load: async () => (await import('../audit-trail.ts')).verifyAuditTrail,
      },
    ],
  },
  {
    name: 'witness',
    summary: 'Run a witness that cosigns append-only checkpoints, until SIGTERM or SIGINT',
    options: [
      { name: 'name', value: '<name>', help: 'Name of the witness, without spaces and plus signs', isRequired: true },
      { name: 'data', value: '<directory>', help: 'Where its key and its memory are kept', isRequired: true },
      { name: 'log', value: '<vkey>', help: 'A log to cosign', isRequired: true, isRepeated: true },
      { name: 'host', value: '<host>', help: 'Address to listen on', fallback: '127.0.0.1' },
      {
        name: 'port',
        value: '<port>',
        help: 'Port to listen on; 0 takes a free one',
        fallback: '8403',
        number: { isWhole: true, min: 0, max: 65_535 },
      },
    ],
    json: 'Print where it listens as one JSON document.',
    examples: [
      './avouch witness --name witness.example/w1 --data ./witness --log attest.example/astralock+890106d5+AbcD...',
    ],
    load: async () => (await import('../witness.ts')).witness,
  },
];
