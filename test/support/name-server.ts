// A name server on loopback (RFC 1035 over UDP) that says whatever a test wants, and never for longer than one question.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { addressGroups } from '#kernel/ip-prefix.ts';

export interface NameServer extends AsyncDisposable {
  readonly address: string;
  /** Names that were asked for, with the kind of record. */
  readonly questions: string[];
}

/** Addresses, and `CNAME <name>` before those that are of another name. */
type Records = readonly string[];

/** Several packets for one question: what a server says first, and what somebody says after it. */
type Packets = { readonly packets: readonly Records[] };

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };
const [A, CNAME, IN] = [1, 5, 1];
const NO_LIFETIME = [0, 0, 0, 0];

/** Answers questions with what `answer` gives for a name and the how-manieth question of its kind it is. */
export async function startNameServer(answer: (name: string, nth: number) => Records | Packets): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  const asked = new Map<string, number>();
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionIn(query);
    const question = `${name} ${TYPES[type] ?? type}`;
    questions.push(question);
    const nth = (asked.get(question) ?? 0) + 1;
    asked.set(question, nth);
    const given = answer(name, nth);
    for (const records of 'packets' in given ? given.packets : [given]) {
      const lines = recordsOf(name, type, records);
      const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, lines.length, 0, 0, 0, 0]);
      socket.send(Buffer.concat([head, query.subarray(12, end), ...lines]), port, address);
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const close = () => new Promise<void>((resolve) => socket.close(resolve));
  return { address: `127.0.0.1:${socket.address().port}`, questions, [Symbol.asyncDispose]: close };
}

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Every alias, and the addresses of the kind that was asked for. */
function recordsOf(name: string, type: number, records: Records): Buffer[] {
  let owner = name;
  return records.flatMap((text) => {
    if (text.startsWith('CNAME ')) {
      const target = text.slice('CNAME '.length);
      const alias = record(owner, CNAME, nameBytes(target));
      owner = target;
      return [alias];
    }
    const groups = addressGroups(text) ?? [];
    if (groups.length !== (type === A ? 2 : 8)) return [];
    return [record(owner, type, Buffer.from(groups.flatMap((group) => [group >> 8, group & 255])))];
  });
}

function record(owner: string, type: number, data: Buffer): Buffer {
  return Buffer.concat([nameBytes(owner), Buffer.from([0, type, 0, IN, ...NO_LIFETIME, 0, data.length]), data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
