// Why a row misses its target, and what would help. Shown only while it misses.

export const CAUSES: Readonly<Record<string, string>> = {
  kills:
    'three processes on two cores start next to the load and the database, and one start alone takes about a second. Loading less at the start would help.',
  'register-beside':
    'the 99th percentile of few verdicts is one of the slowest of them, which is chance. More rounds make it steadier.',
  'slow-clients':
    'the system hands over all connections that became ready at once, so that reading the heads of a thousand readers that begin in the same moment is one turn of the event loop; their resets come sixteen in a turn. Which of it a call meets is chance: runs of the same code differ tenfold. Node has no setting that reads fewer connections in a turn.',
  hostile:
    'two processes that read PDF bombs hold at most 208 MiB each, and the service holds up to 130 MiB for their bodies of 8 MB, which come as text and are kept until it collects garbage. One process would halve it, and one agent would then hold up all others. The slowest calls meet JSON of 16 MB, a receipt of 1 MB and that PDF. Taking files as bytes instead of text would shorten the pauses.',
  http: "profile of a check: socket writes 6 %, garbage collection 5 %, reading parameters 5 %; of health: socket writes 12 %, garbage collection 4 %, state of the parts 3 %. The rest is a long tail in Node's HTTP server. A separate HTTP codec would help.",
  store:
    'profile: SQLite with its syncs 64 %, loading rows 2 %, socket writes 2 %. The longest pauses are the slowest syncs of the disk: syncing on another thread would end them. Redis keeps no indexes and no history.',
  'claims-http':
    'profile: SQLite with its syncs 19 to 33 %, garbage collection 5 %, hashes 4 %. The client runs on the same two cores, so the ratio of calls is smaller than that of CPU. A separate HTTP codec would help.',
  scale:
    'four processes have four times the clients of one on the same two cores; the table below says which process takes what. More cores would help.',
  look: 'profile: socket writes 16 %, reading SQLite 9 %, writing JSON 5 %. Every look reads the state of its key again. A shorter response would help.',
  seal: 'profile: SQLite with its syncs 20 %, socket writes 6 %, garbage collection 5 %. Fewer indexes and shorter responses would help.',
  paid: 'profile: SQLite with its syncs 16 %, garbage collection 5 %, socket writes 4 %. One signature for a batch of receipts would help, which needs another form of receipt.',
  mcp: 'profile: socket writes 16 %, garbage collection 9 %, writing JSON 8 %. Runs of the same code differ by a tenth. A separate HTTP codec would help.',
  growth:
    'a look alone is above the target: it reads the rows of its key again each time, and of a million keys few are in the cache of the database. The row look shows the same with 100 keys and with all. A larger cache was not tried.',
  mandates:
    'profile: SQLite with its syncs 20 %, Ed25519 8 %, hashes 7 %. One signature for each batch would help, which needs another form of receipt.',
  screen:
    'profile: the bound of each name that has a word in common 34 %, finding these names 7 %, keys of sounds 3 %. A bound for whole groups of names would help.',
  'screen-hostile':
    'as for screen: half of the list has words in common with such a name, and each of these names gets its bound. A cheaper first bound would help.',
  start:
    'profile: loading modules 30 %, garbage collection 10 %, creating the database 8 %. Loading what a call needs with that call would help. A bundle saved 6 % of the time and an eighth of the memory, so it was not kept.',
};
