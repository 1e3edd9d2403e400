/** Word lists that the reading of a text needs. */

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words after which a new part of a sentence begins. */
export const OPENS_CLAUSE = set('and but or please also just so then kindly pls en maar of dus graag ook dan want');

/** Words that are written with a capital at the beginning of a sentence and name nobody who could judge. */
export const NO_NAMES = set(
  'the this that these those it its which who what where when why how if and or but so as at by for from in into of on to with without we you they he she there here a an no not none any all some each every one two only also please existing new old current unit integration typing clicking both most more other then than after before until once is are was were be has have had do does did can could may might must shall should will would i my our your their nothing everything anything something somebody someone anyone everyone api json url http https html css pr mr sdk cli app server parser client csv pdf sql xml yaml markdown github gitlab python java javascript typescript windows linux android ios button page file code script function users user bug feature task issue monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december de het een dit dat deze die er als wie wat waar wanneer hoe waarom en of maar dus ook graag bij op in aan uit van voor met naar om te niet geen alle elke is zijn was wordt worden moet moeten kan mag wij we jullie u je ik na nog alleen',
);

/** Words with which a question begins that only asks; and what makes it a request. */
export const ASKS = set(
  'who what when where why how which is are am was does do did can could would will should has have may any anyone anybody if wat waar wanneer waarom hoe welke welk is zijn kan kun kunnen wordt worden heeft hebben mag moet wie als iemand',
);
export const REQUEST_VERBS = set('can could would will kan kun kunt kunnen wil wilt zou who wie');
export const REQUESTED = set('you someone somebody anyone anybody we the it u je jij jullie iemand wij er wil kan mij');
/** With these a question to the reader is about leave and not about work. */
export const ASKS_LEAVE = set('accept take consider merge open interested i ik');

/** What a worker in doubt is told to do. */
export const ORDERS_IN_DOUBT = set(
  'ask leave skip choose pick use mail email call ping contact write comment mark flag note assume tell message take check post open just please let go reach stop put keep raise vraag laat bel mail overleg kies neem stel meld noteer zet sla gebruik app stuur kom schuif',
);
