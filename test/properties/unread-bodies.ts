// Bodies behind a head that is refused before any of them is read: by its key, its rate or a suspension.

/** How such a body comes, after the lines of its head. The same refused call stands behind it where that can be read. */
export interface UnreadBody {
  readonly what: string;
  /** The bytes after the lines of the head: the last lines of it and the body. */
  readonly bytes: string;
  /** True where the caller goes away as soon as it is answered. */
  readonly isCut: boolean;
  /** How many calls in it are whole, each of which is refused alike. What else it holds may be refused as no HTTP instead. */
  readonly whole: number;
}

const LARGE = 900_000;
const NEVER_COMES = 1_000_000;

function announced(length: number, body: string): string {
  return `Content-Length: ${length}\r\n\r\n${body}`;
}

function chunked(body: string): string {
  return `Transfer-Encoding: chunked\r\n\r\n${body}`;
}

/** Every way, for a head of lines that end in a line end. */
export function unreadBodies(head: string): readonly UnreadBody[] {
  const small = announced(2, '{}');
  const behind = `${head}Connection: close\r\n${small}`;
  const row = (what: string, bytes: string, whole: number, isCut = false) => ({
    what,
    bytes: head + bytes,
    whole,
    isCut,
  });
  return [
    row('a small body and another call behind it', small + behind, 2),
    row('no JSON and another call behind it', announced(5, '{"a":') + behind, 2),
    row('a large body and another call behind it', announced(LARGE, 'x'.repeat(LARGE)) + behind, 2),
    row('a large body in pieces and another call behind it', chunked(`${pieces(LARGE)}0\r\n\r\n${behind}`), 2),
    row('invalid UTF-8 and another call behind it', announced(3, '"\xff"') + behind, 2),
    row('three calls at once', small + head + small + behind, 3),
    row('a body that never comes', announced(NEVER_COMES, ''), 1, true),
    row('a body that comes in part', announced(NEVER_COMES, 'x'.repeat(70_000)), 1, true),
    row('pieces that never end', chunked(pieces(70_000)), 1, true),
    row('pieces that are none', chunked('zz\r\n{}\r\n'), 0),
    row('rubbish behind it', `${small}\0\x01rubbish\r\n\r\n`, 1),
    row('a body that ends early', announced(50, '{}'), 0),
  ];
}

function pieces(length: number): string {
  const [size, count] = [10_000, length / 10_000];
  return `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count);
}
