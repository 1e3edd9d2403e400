import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc, { runs } from '#properties';
import { refusesWrongTypes } from './_wrong-types.ts';
import { ed25519Cosigner } from './cosignature.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import { formatVkey, type NoteKeyType, noteKey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';
import { hasQuorum, parsePolicy } from './witness-policy.ts';

function vkey(n: number, type: NoteKeyType = 4, name = `w${n}.example`): string {
  return formatVkey(noteKey(name, type, new Uint8Array(type === 6 ? 1312 : 32).fill(n)));
}

const log = vkey(100, 1, 'log.example');
const EXAMPLE = `# two operators
log ${log} https://log.example/

witness X1 ${vkey(1)}
witness X2 ${vkey(2, 6)}
\twitness  X3\t${vkey(3)} https://x3.example/ \t
group X-witnesses 2 X1 X2 X3

witness Y1 ${vkey(4)}
witness Y2 ${vkey(5)}
group Y-witnesses any Y1 Y2
  # both must be there
group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

function refused(text: string, detail: RegExp): void {
  assert.throws(() => parsePolicy(text), { code: 'policy_malformed', message: detail }, text.slice(0, 200));
}

suite('C2SP tlog-policy, quorum', () => {
  const policy = parsePolicy(EXAMPLE);
  const cosigned = (...names: readonly string[]) =>
    hasQuorum(
      policy,
      policy.witnesses.filter(({ name }) => names.includes(name)).map(({ key }) => key),
    );

  test('a policy of two levels of groups is met by exactly the right sets of witnesses', () => {
    const names = policy.witnesses.map(({ name }) => name);
    for (let set = 0; set < 2 ** names.length; set += 1) {
      const chosen = names.filter((_, i) => (set >> i) & 1);
      const ofX = chosen.filter((name) => name.startsWith('X')).length;
      const ofY = chosen.filter((name) => name.startsWith('Y')).length;
      assert.equal(cosigned(...chosen), ofX >= 2 && ofY >= 1, chosen.join(' '));
    }
  });

  test('a witness counts once however often it cosigned, and a stranger never', () => {
    const [first] = policy.witnesses.map(({ key }) => key);
    assert.ok(first !== undefined);
    assert.equal(hasQuorum(policy, [first, first, first]), false);
    const stranger = noteKey('stranger.example', 4, first.publicKey);
    assert.equal(hasQuorum(parsePolicy(`witness a ${vkey(1)}\nquorum a\n`), [stranger]), false);
  });

  test('quorum none needs nobody, and a single witness needs that one', () => {
    assert.equal(hasQuorum(parsePolicy('quorum none\n'), []), true);
    const single = parsePolicy(`witness a ${vkey(1)}\nwitness b ${vkey(2)}\nquorum a\n`);
    const [a, b] = single.witnesses.map(({ key }) => key);
    assert.deepEqual(
      [hasQuorum(single, []), hasQuorum(single, a ? [a] : []), hasQuorum(single, b ? [b] : [])],
      [false, true, false],
    );
  });
});

suite('C2SP tlog-policy, text', () => {
  test('comments, blank lines, spaces and tabs do not matter; addresses are kept', () => {
    const policy = parsePolicy(Buffer.from(EXAMPLE));
    assert.deepEqual(
      [policy.logs.length, policy.witnesses.length, policy.groups.length, policy.quorum],
      [1, 5, 3, 'X-and-Y'],
    );
    assert.deepEqual(
      [policy.logs[0]?.url, policy.witnesses[0]?.url, policy.witnesses[2]?.url],
      ['https://log.example/', null, 'https://x3.example/'],
    );
    assert.deepEqual(
      policy.groups.map(({ threshold }) => threshold),
      [2, 1, 2],
    );
  });

  test('names are octets: what looks alike is not the same, and nothing is normalised', () => {
    const text = `witness K ${vkey(1)}\nwitness \u212a ${vkey(2)}\nwitness e\u0301 ${vkey(3)}\nwitness \u00e9 ${vkey(4)}\ngroup g all K \u212a e\u0301 \u00e9\nquorum g\n`;
    assert.equal(parsePolicy(text).groups[0]?.members.length, 4);
    assert.deepEqual(parsePolicy(Buffer.from(text)), parsePolicy(text));
    const notUtf8 = Buffer.from(`witness \u00ff ${vkey(1)}\nquorum \u00ff\n`, 'latin1');
    assert.equal(parsePolicy(notUtf8).witnesses.length, 1);
    const named = parsePolicy(`log ${vkey(9, 1, 'größe.example')} https://größe.example\nquorum none\n`);
    assert.deepEqual([named.logs[0]?.key.name, named.logs[0]?.url], ['größe.example', 'https://größe.example']);
  });

  test('every rule of the format is held, and the error names the line', () => {
    const a = `witness a ${vkey(1)}\n`;
    const b = `witness b ${vkey(2)}\n`;
    refused(a, /no quorum/);
    refused(`${a}quorum a`, /last line/);
    refused(`${a}quorum a\nquorum a\n`, /line 3: a second quorum/);
    refused(`quorum a\n${a}`, /line 1: a quorum names/);
    refused('quorum\n', /line 1/);
    refused(`${a}quorum a b\n`, /line 2/);
    refused(`${a}${b}group g 3 a b\nquorum g\n`, /line 3: the rule/);
    for (const rule of ['0', '01', '-1', '1.0', 'ALL', 'some', '+1'])
      refused(`${a}group g ${rule} a\nquorum g\n`, /line 2: the rule/);
    refused(`${a}group g any\nquorum g\n`, /line 2: a group has/);
    refused(`${a}group g any none\nquorum g\n`, /line 2: a member/);
    refused(`${a}group g any g\nquorum g\n`, /line 2: a member/);
    refused(`group g any a\n${a}quorum g\n`, /line 1: a member/);
    refused(`${a}group g any a a\nquorum g\n`, /line 2: a member that a group has/);
    refused(`${a}${b}group g any a\ngroup h any a b\nquorum h\n`, /line 4: a member that a group has/);
    refused(`${a}witness a ${vkey(2)}\nquorum a\n`, /line 2: a name/);
    refused(`${a}group a any a\nquorum a\n`, /line 2: a name/);
    refused(`witness none ${vkey(1)}\nquorum none\n`, /line 1: a name/);
    refused(`${a}group none any a\nquorum none\n`, /line 2: a name/);
    refused('witness a\nquorum a\n', /line 1: the key/);
    refused(`witness a ${vkey(1)} url more\nquorum a\n`, /line 1: more/);
    refused(`log ${log} url more\nquorum none\n`, /line 1: more/);
    refused('log\nquorum none\n', /line 1: the key/);
    refused(`Log ${log}\nquorum none\n`, /line 1: neither/);
    for (const word of ['constructor', '__proto__', 'toString']) refused(`${word} x\nquorum none\n`, /line 1: neither/);
  });

  test('a second key of one name and id is refused, as a witness, as a log and as both', () => {
    // Found by trying: two keys of this name whose ids are the same four bytes.
    const [one, other] = [77_155, 120_114].map((number) => {
      const seed = Buffer.alloc(32);
      seed.writeUInt32BE(number);
      return formatVkey(ed25519Cosigner('twin.example', ed25519PrivateKeyFromSeed(seed)).key);
    });
    const taken = /line 2: a second key with the same name and id/;
    refused(`witness a ${one}\nwitness b ${other}\ngroup g all a b\nquorum g\n`, taken);
    refused(`log ${one}\nlog ${other}\nquorum none\n`, taken);
    refused(`log ${one}\nwitness b ${other}\nquorum b\n`, taken);
    refused(`witness b ${other}\nlog ${one}\nquorum b\n`, taken);
  });

  test('the same public key twice is refused, whatever its name or type', () => {
    refused(`log ${log}\nlog ${vkey(100, 1, 'other.example')}\nquorum none\n`, /line 2: a second log/);
    refused(`log ${log}\nlog ${vkey(100, 4, 'log.example')}\nquorum none\n`, /line 2: a second log/);
    refused(`witness a ${vkey(1)}\nwitness b ${vkey(1, 4, 'other.example')}\nquorum a\n`, /line 2: a second witness/);
  });

  test('a key without a time in its signatures is no witness', () => {
    refused(`witness a ${vkey(1, 1)}\nquorum a\n`, /line 1: a witness key/);
  });

  test('control characters and vertical white space are refused, and no other space separates', () => {
    for (const character of ['\r', '\v', '\f', '\0', '\u001b', '\u007f'])
      refused(`# ${character}\nquorum none\n`, /control/);
    refused('quorum\u00a0none\n', /line 1: neither/);
  });

  test('32 of each kind fit, 257 do not, and neither does a file above the bound', () => {
    const many = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `witness n${i} ${formatVkey(noteKey('w.example', 4, Buffer.alloc(32, `key ${i}.`)))}\n`,
      ).join('');
    assert.equal(parsePolicy(`${many(32)}quorum none\n`).witnesses.length, 32);
    refused(`${many(257)}quorum none\n`, /line 257: more than/);
    refused(`#${'x'.repeat(1_000_001)}\nquorum none\n`, /longer/);
    assert.throws(() => parsePolicy(new Uint8Array(1_000_001)), { code: 'policy_malformed' });
  });

  test('random text and damaged policies give a policy or the one error', () => {
    const damaged = fc
      .tuple(fc.nat(EXAMPLE.length), fc.nat(4), fc.string({ maxLength: 3 }))
      .map(([at, gone, put]) => EXAMPLE.slice(0, at) + put + EXAMPLE.slice(at + gone));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string(), fc.uint8Array()), (input) => {
        try {
          const policy = parsePolicy(input);
          assert.equal(hasQuorum(policy, []), policy.quorum === null);
          assert.equal(
            hasQuorum(
              policy,
              policy.witnesses.map(({ key }) => key),
            ),
            true,
          );
        } catch (error) {
          assert.ok(error instanceof ProtocolError && error.code === 'policy_malformed', String(error));
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => parsePolicy(value));
  refusesWrongTypes('nothing', (value) => hasQuorum(value, []));
  refusesWrongTypes('list', (value) => hasQuorum(parsePolicy(EXAMPLE), value));
});
