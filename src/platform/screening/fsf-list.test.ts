import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import fc from '#properties';
import { isListRefusal, type ListRefusal, readFsfList, refusalToReplace, type SanctionsList } from './fsf-list.ts';

const bytes = readFileSync(new URL('../../../test/vectors/fsf-fictional.xml', import.meta.url));

async function listOf(...chunks: (Uint8Array | string)[]): Promise<SanctionsList> {
  const list = await readFsfList(chunks);
  assert.ok(!isListRefusal(list), JSON.stringify(list));
  return list;
}

async function refusalOf(...chunks: (Uint8Array | string)[]): Promise<ListRefusal['code']> {
  const list = await readFsfList(chunks);
  assert.ok(isListRefusal(list));
  return list.code;
}

suite('reading the EU list', () => {
  test('an entity has its id, type, latest programme, first known country and names', async () => {
    const { generationDate, entities } = await listOf(bytes);
    assert.equal(generationDate, '2026-03-02T09:15:00.000+01:00');
    assert.deepEqual(entities[0], {
      id: 'EU.80001.11',
      subjectType: 'person',
      programme: 'NEW',
      country: 'XB',
      names: [
        { name: 'Anton Borisovich VYMYSLOV', isWeak: false },
        { name: 'Антон Борисович ВЫМЫСЛОВ', isWeak: false },
        { name: 'Tony Vymy', isWeak: true },
        { name: 'Shadow Badger', isWeak: true },
      ],
    });
  });

  test('what is missing is null, another id or a name made of its parts; an entity without a name is left out', async () => {
    const { entities } = await listOf(bytes);
    assert.deepEqual(entities[1], {
      id: '80002',
      subjectType: 'enterprise',
      programme: null,
      country: 'XC',
      names: [{ name: 'Zephyrion "Marble" Trading GmbH & Co. KG', isWeak: false }],
    });
    assert.equal(entities[2]?.names[0]?.name, 'Khalid al-Mukhtarani');
    assert.deepEqual(
      entities.map(({ id }) => id),
      ['EU.80001.11', '80002', 'EU.80003.33', 'EU.80004.44'],
    );
  });

  test('a file with only logical ids, types and names loads', async () => {
    const least =
      '<export><sanctionEntity logicalId="7"><subjectType code="person"/><nameAlias wholeName="Anton V"/></sanctionEntity></export>';
    const { generationDate, entities } = await listOf(least);
    assert.deepEqual([generationDate, entities[0]?.id, entities[0]?.names.length], [null, '7', 1]);
  });

  test('any way to cut the bytes gives the same list', async () => {
    const whole = await listOf(bytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        assert.deepEqual(await listOf(...chunks), whole);
      }),
      { numRuns: 40 },
    );
    assert.deepEqual(await listOf(...[...bytes].map((byte) => Uint8Array.of(byte))), whole);
  });

  test('a file cut off anywhere is refused', async () => {
    for (let end = 0; end < bytes.length - 2; end += 17) {
      assert.equal(await refusalOf(bytes.subarray(0, end)), 'not_well_formed', `cut at ${end}`);
    }
  });

  const REFUSED: Readonly<Record<string, readonly [string, ListRefusal['code']]>> = {
    'a page of HTML': ['<html><body>busy</body></html>', 'not_a_list'],
    'HTML with a document type': ['<!DOCTYPE html><html></html>', 'not_well_formed'],
    'an entity declaration': ['<!DOCTYPE e [<!ENTITY a "b">]><export/>', 'not_well_formed'],
    'plain text': ['Internal error', 'not_well_formed'],
    'a list of nobody': ['<export generationDate="2026-01-01T00:00:00Z"></export>', 'no_entities'],
    'crossed elements': ['<export><sanctionEntity></export></sanctionEntity>', 'not_well_formed'],
    'an unknown entity': ['<export a="&nbsp;"/>', 'not_well_formed'],
    'an attribute twice': ['<export a="1" a="2"/>', 'not_well_formed'],
    'two roots': ['<export></export><export></export>', 'not_well_formed'],
    'a depth without end': ['<export>'.repeat(100), 'not_well_formed'],
    'a tag without end': [`<export a="${'x'.repeat(1_100_000)}`, 'not_well_formed'],
  };
  for (const [what, [file, code]] of Object.entries(REFUSED)) {
    test(`${what} is refused as ${code}`, async () => assert.equal(await refusalOf(file), code));
  }

  test('bytes that are not UTF-8 are refused', async () => {
    assert.equal(await refusalOf(Uint8Array.of(0x3c, 0xff, 0xfe)), 'not_well_formed');
  });

  test('no text makes the reader throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            '<',
            '>',
            '/',
            'export',
            '"',
            '=',
            '&',
            'amp;',
            '<!--',
            '-->',
            '<![CDATA[',
            ']]>',
            ' ',
            'a',
            '<?',
            '?>',
          ),
          { maxLength: 30 },
        ),
        async (parts) => {
          assert.ok(isListRefusal(await readFsfList([parts.join('')])));
        },
      ),
    );
  });
});

suite('taking a new list into use', () => {
  const made = (generationDate: string | null, entityCount: number) => ({ generationDate, entityCount });
  const inUse = made('2026-03-02T10:00:00+01:00', 100);
  const nowMs = Date.UTC(2026, 2, 4);

  test('the first list needs only a date', () => {
    assert.equal(refusalToReplace(made('2020-01-01T00:00:00Z', 1), null, nowMs), undefined);
    assert.equal(refusalToReplace(made(null, 1), null, nowMs)?.code, 'no_generation_date');
    assert.equal(refusalToReplace(made('soon', 1), null, nowMs)?.code, 'no_generation_date');
  });

  test('an older list is refused, one of the same moment is taken, across time zones', () => {
    assert.equal(refusalToReplace(made('2026-03-02T08:59:59Z', 100), inUse, nowMs)?.code, 'older_than_in_use');
    assert.equal(refusalToReplace(made('2026-03-02T09:00:00Z', 100), inUse, nowMs), undefined);
  });

  test('a list that says it was made more than a day from now is refused, the first one too', () => {
    for (const before of [null, inUse]) {
      assert.equal(refusalToReplace(made('2026-03-05T00:00:00Z', 100), before, nowMs), undefined);
      assert.equal(refusalToReplace(made('2026-03-05T00:00:01Z', 100), before, nowMs)?.code, 'from_the_future');
    }
  });

  test('a list with more than a tenth fewer entities is refused', () => {
    assert.equal(refusalToReplace(made('2026-03-03T00:00:00Z', 89), inUse, nowMs)?.code, 'shrunken');
    assert.equal(refusalToReplace(made('2026-03-03T00:00:00Z', 90), inUse, nowMs), undefined);
  });
});
