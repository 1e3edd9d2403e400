import { readText } from './log-text.ts';
import { C2SP_NOTE_ED25519, type NoteKey, noteKeyLabel, parseVkey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

/** Names of witnesses and groups are octets, here one character each: C2SP compares them as such. */
interface PolicyWitness {
  readonly name: string;
  readonly key: NoteKey;
  readonly url: string | null;
}

interface PolicyLog {
  readonly key: NoteKey;
  readonly url: string | null;
}

interface PolicyGroup {
  readonly name: string;
  /** How many members must have witnessed. */
  readonly threshold: number;
  readonly members: readonly string[];
}

/** Whom to trust: any of the logs, and as many of the witnesses as the quorum says. */
export interface WitnessPolicy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** In order of definition: a group refers to earlier ones only. */
  readonly groups: readonly PolicyGroup[];
  /** Name of a witness or group; null where no cosignature is needed. */
  readonly quorum: string | null;
}

/** C2SP tlog-policy: octets of text without control characters but tab and newline. */
const MAX_POLICY_BYTES = 1_000_000;
/** C2SP asks for at least 32 of each. */
const MAX_OF_A_KIND = 256;
// oxlint-disable-next-line no-control-regex -- control characters are what it must find
const FORBIDDEN_OCTET = /[^\t\n\u0020-\u007e\u0080-\u00ff]/;
const THRESHOLD = /^[1-9][0-9]{0,2}$/;
const NONE = 'none';
const LABEL_TAKEN = 'a second key with the same name and id';

interface Draft {
  readonly logs: PolicyLog[];
  readonly witnesses: PolicyWitness[];
  readonly groups: PolicyGroup[];
  readonly defined: Set<string>;
  readonly members: Set<string>;
  quorum: string | null | undefined;
}

/** Reads a policy file; the error names the line. */
export function parsePolicy(input: string | Uint8Array): WitnessPolicy {
  // attacker-controlled where a caller brings a policy of its own
  const text = readOctets(input);
  if (FORBIDDEN_OCTET.test(text)) throw new ProtocolError('policy_malformed', 'a control character');
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new ProtocolError('policy_malformed', 'the last line does not end');
  const draft: Draft = {
    logs: [],
    witnesses: [],
    groups: [],
    defined: new Set([NONE]),
    members: new Set(),
    quorum: undefined,
  };
  lines.forEach((line, i) => {
    const [keyword = '#', ...fields] = line.split(/[ \t]+/).filter((field) => field !== '');
    if (keyword.startsWith('#')) return;
    const fault = readLine(draft, keyword, fields);
    if (fault !== undefined) throw new ProtocolError('policy_malformed', `line ${i + 1}: ${fault}`);
  });
  const { logs, witnesses, groups, quorum } = draft;
  if (quorum === undefined) throw new ProtocolError('policy_malformed', 'no quorum');
  return { logs, witnesses, groups, quorum };
}

function readOctets(input: unknown): string {
  if (input instanceof Uint8Array && input.length <= MAX_POLICY_BYTES) return Buffer.from(input).toString('latin1');
  return Buffer.from(readText(input, MAX_POLICY_BYTES, 'policy_malformed')).toString('latin1');
}

/** Adds one line to the draft, or says what is wrong with it. */
function readLine(draft: Draft, keyword: string, fields: readonly string[]): string | undefined {
  switch (keyword) {
    case 'log':
      return readLog(draft, fields);
    case 'witness':
      return readWitness(draft, fields);
    case 'group':
      return readGroup(draft, fields);
    case 'quorum':
      return readQuorum(draft, fields);
    default:
      return 'neither log, witness, group nor quorum';
  }
}

function readLog(draft: Draft, [vkey = '', url, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return 'more than a key and an address';
  const key = readKey(vkey);
  if (typeof key === 'string') return key;
  if (hasKey(draft.logs, key)) return 'a second log with the same public key';
  if (isLabelTaken(draft, key)) return LABEL_TAKEN;
  draft.logs.push({ key, url: displayed(url) });
  return tooMany(draft.logs);
}

function readWitness(draft: Draft, [name = '', vkey = '', url, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return 'more than a name, a key and an address';
  if (draft.defined.has(name)) return 'a name that is taken';
  const key = readKey(vkey);
  if (typeof key === 'string') return key;
  // Without a time a signature says nothing about when its maker saw the log.
  if (key.type === C2SP_NOTE_ED25519) return 'a witness key must be of a cosignature type';
  if (hasKey(draft.witnesses, key)) return 'a second witness with the same public key';
  if (isLabelTaken(draft, key)) return LABEL_TAKEN;
  draft.defined.add(name);
  draft.witnesses.push({ name, key, url: displayed(url) });
  return tooMany(draft.witnesses);
}

function readGroup(draft: Draft, [name = '', rule = '', ...members]: readonly string[]): string | undefined {
  if (members.length === 0) return 'a group has a name, a rule and members';
  if (draft.defined.has(name)) return 'a name that is taken';
  for (const member of members) {
    if (member === NONE || !draft.defined.has(member)) return 'a member that no earlier line defines';
    if (draft.members.has(member)) return 'a member that a group has already';
    draft.members.add(member);
  }
  const threshold = thresholdOf(rule, members.length);
  if (threshold === undefined) return 'the rule is all, any or a number up to that of the members';
  draft.defined.add(name);
  draft.groups.push({ name, threshold, members });
  return tooMany(draft.groups);
}

function thresholdOf(rule: string, members: number): number | undefined {
  if (rule === 'all') return members;
  if (rule === 'any') return 1;
  return THRESHOLD.test(rule) && Number(rule) <= members ? Number(rule) : undefined;
}

function readQuorum(draft: Draft, [name = '', ...more]: readonly string[]): string | undefined {
  if (draft.quorum !== undefined) return 'a second quorum';
  if (more.length > 0 || !draft.defined.has(name))
    return 'a quorum names one witness or group of an earlier line, or none';
  draft.quorum = name === NONE ? null : name;
  return undefined;
}

function readKey(vkey: string): NoteKey | string {
  try {
    return parseVkey(Buffer.from(vkey, 'latin1'));
  } catch (error) {
    return error instanceof ProtocolError ? `the key: ${error.message}` : 'the key';
  }
}

/** The same key under another name or type is the same key. */
function hasKey(owners: readonly { readonly key: NoteKey }[], key: NoteKey): boolean {
  return owners.some((owner) => Buffer.compare(owner.key.publicKey, key.publicKey) === 0);
}

/**
 * An id is four bytes: whoever makes keys can make them alike. One line would then stand for two witnesses, or that of a
 * witness for the log.
 */
function isLabelTaken({ logs, witnesses }: Draft, key: NoteKey): boolean {
  return [...logs, ...witnesses].some(
    (owner) => noteKeyLabel(owner.key) === noteKeyLabel(key) && !hasKey([owner], key),
  );
}

function displayed(octets: string | undefined): string | null {
  return octets === undefined ? null : Buffer.from(octets, 'latin1').toString();
}

function tooMany(items: readonly unknown[]): string | undefined {
  return items.length > MAX_OF_A_KIND ? `more than ${MAX_OF_A_KIND} of a kind` : undefined;
}

/** True when the keys that cosigned are enough for the policy. */
export function hasQuorum(policy: WitnessPolicy, cosigners: readonly NoteKey[]): boolean {
  const labels = new Set(cosigners.map(noteKeyLabel));
  const witnessed = new Set<string>();
  for (const { name, key } of policy.witnesses) if (labels.has(noteKeyLabel(key))) witnessed.add(name);
  for (const { name, threshold, members } of policy.groups) {
    if (members.filter((member) => witnessed.has(member)).length >= threshold) witnessed.add(name);
  }
  return policy.quorum === null || witnessed.has(policy.quorum);
}

/** Who runs a witness, as far as its name tells: its host. */
export function witnessOperator(name: string): string {
  return name.split('/')[0] ?? name;
}
