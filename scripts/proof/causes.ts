// Why a row misses its target, and what would help. Shown only while it misses.

const CLUSTER = 'Nothing was wrong in the parts that were run.';

export const CAUSES: Readonly<Record<string, string>> = {
  kills:
    'three processes on two cores start beside the load and the database, and one start alone takes about a second. Loading less at the start would help.',
  'log-kills': CLUSTER,
  'clock-jumps': CLUSTER,
  'cluster-kill': CLUSTER,
  'cluster-partition': CLUSTER,
  'cluster-standby': CLUSTER,
  'cluster-freeze': CLUSTER,
  'cluster-latency': CLUSTER,
  'cluster-rolling': CLUSTER,
  'cluster-fork': CLUSTER,
  'register-beside':
    'p50 and p95 are alike; the 99th percentile of few verdicts is one of the slowest of them. More rounds make it steadier.',
  'slow-clients':
    'Node accepts one connection in each turn of the event loop, so that turns must be short while readers connect. Several listeners on one port would help.',
  hostile:
    'the PDF bomb is read by two processes of at most 264 MiB each, which is most of the memory. The slowest calls meet JSON of 16 MB, a receipt of 1 MB and that PDF. Handing long bodies to their thread in blocks would shorten the pauses.',
  soak: 'mixed load, other rows on the same two cores and RSS that includes mapped database pages. Only a long run with nothing beside it tells growth from garbage collection.',
  http: "Node's HTTP server, the framework and the rules for parameters cost more than the calls themselves. A codec of our own for HTTP would help.",
  store:
    'each commit waits for the disk, and the longest pauses are the slowest syncs of the disk. Syncing on another thread would end them. Redis keeps no indexes and no history; with random keys the index of events costs most.',
  'claims-http':
    'nothing dominates the profile: SQLite with its syncs a fifth to a third, garbage collection, hashes and socket writes a twentieth each. The client runs on the same two cores, so the ratio of calls is smaller than that of CPU.',
  scale: 'four processes have four times the clients of one on the same two cores. More cores would help.',
  seal: 'SQLite a fifth, hashes and garbage collection less than a tenth each. Fewer indexes and shorter responses would help.',
  start:
    'a third of the time is spent on loading modules. Loading what a call needs with that call would help. A bundle saved 6 % of the time and an eighth of the memory, so it was not kept.',
  mandates:
    'SQLite an eighth, Ed25519 and hashes a tenth each. One signature for each batch would help, which needs another form of receipt.',
};
