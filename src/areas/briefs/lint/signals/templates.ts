/** Lines of public templates of trackers that nobody has changed: what their user should have replaced. */

/** A line that begins like this, in lower case and without marks of lists and emphasis. */
const STARTS = [
  'a clear and concise description',
  'a concise description of',
  'a short description of',
  'a brief description of',
  'add any other ',
  'add a screenshot',
  'and so on',
  'attach a ',
  'beschrijf hier',
  'beschrijf het probleem',
  'beschrijf wat',
  'beschrijf zo ',
  'clear and concise',
  'delete this ',
  'describe any ',
  'describe how ',
  'describe the ',
  'describe what ',
  'describe your ',
  'e.g. ',
  'een duidelijke en ',
  'eerste stap',
  "ex. i'm always",
  'explain here',
  'explain what ',
  'explain why ',
  'explain the ',
  'first step',
  'geef een duidelijke',
  'hoe kunnen we dit reproduceren',
  'how can we reproduce',
  'if applicable',
  'if you have ideas',
  'if this is a visual',
  'indien van toepassing',
  'insert ',
  'issues that do not follow',
  'link to a minimal reproduction',
  'list any ',
  'list the steps',
  'make sure to ',
  'no response',
  'paste ',
  'please complete the following',
  'please describe',
  'please fill',
  'please include',
  'please provide',
  'please read',
  'please search',
  'provide a ',
  'provide any ',
  'provide a general',
  'provide the ',
  'put your ',
  'remove this ',
  'replace this',
  'replace me',
  'scroll down to ',
  'second step',
  'steps to reproduce the behavior',
  'steps to reproduce the behaviour',
  'summarize the ',
  'tell us ',
  'thank you for contributing',
  'thank you for filing',
  'thanks for taking the time',
  'thanks for filing',
  'these should be ',
  'things you ',
  'this issue tracker is',
  'third step',
  'tweede stap',
  'uncomment ',
  'use this section',
  'vertel ons',
  'voeg hier',
  'voeg eventueel',
  'vul hier',
  'what are you trying to',
  'write a ',
  'your answer here',
  'your text here',
];

const BY_INITIALS = Map.groupBy(STARTS, (start) => start.slice(0, 2));

/** Starts that are also requests to a worker: these count only where the line speaks of its reader. */
const ONLY_TO_READER = new Set(
  'provide a |provide the |provide any |write a |summarize the |describe the |describe how |describe what |explain the |explain what |explain why |list the steps|list any |attach a |add a screenshot|insert |paste |make sure to |remove this |delete this |please include|please provide|please describe|beschrijf wat|please read'.split(
    '|',
  ),
);
const READER =
  /\b(?:you|your|you'd|u|uw|je|jouw|here|hier|below|the bug|the issue|the problem|this section|this text|het probleem)\b/;

/** Answers that are none: a line or the value of a label that is no more than this. */
const EMPTY_ANSWERS = new Set(
  'no response|no|none|n/a|na|n.v.t|nvt|geen|tbd|tba|tbc|todo|to do|to be determined|to be decided|to be defined|to be announced|to be filled|to be filled in|to be filled in later|to be added|to be discussed|will follow|coming soon|pending|nog te bepalen|nog in te vullen|volgt|volgt nog|later|nader te bepalen|onbekend|unknown|unassigned|explanation|description|see error|@username|@name|@user|username|name|naam|your name|yyyy-mm-dd|dd-mm-yyyy|dd/mm/yyyy|mm/dd/yyyy|jjjj-mm-dd|dd-mm-jjjj|date|datum|amount|bedrag|xxx|xx|x|lorem ipsum|optional|optioneel|replace this text|fill in|fill me in|invullen|not applicable|niet van toepassing|not sure|idk|same as above|step 1|step 2|step 3|stap 1|stap 2|stap 3|criterion 1|criterion 2|criterion 3|item 1|item 2|item 3|first criterion|second criterion|option 1|option 2'.split(
    '|',
  ),
);
/** Words that hold a template together around its gaps. */
const GLUE = new Set(
  'as a an i want to so that given when then and or the of in with by for als een wil ik zodat gegeven dan en of de het none ac'.split(
    ' ',
  ),
);

const MARKS = /^[ \t]{0,20}(?:(?:[-*+•☐☑] ?|\d{1,2}[.)]|\[[ x]\]|>) ?){0,3}[_*~"'(]{0,4}/;
const TRAILING = new Set(' \t_*.:;,!"\')…');
/** A gap of a template: words in brackets that are no link, check box or mention of a file. */
const GAP =
  /[$€£@]?(?:\[(?![ x]\])[^[\]\n]{0,80}\](?!\()|<(?!https?:|\/?[a-z]{1,10}\d?>)[^<>\n=]{1,80}>|\{\{?[^{}\n]{1,80}\}\}?|\.{3}|…|_{3,20})/g;
const MAX_ANSWER_LENGTH = 40;
const WORD = /[\p{L}\p{N}]{1,100}/gu;

/** True when a line, in lower case, is only what a template says where its user should have written. */
export function isTemplateLine(line: string): boolean {
  const bare = line.replace(MARKS, '');
  return isEmptyAnswer(bare) || isInstruction(line.trimStart(), bare) || isOnlyGaps(bare);
}

/** True when a line without its marks is no answer. */
function isEmptyAnswer(answer: string): boolean {
  if (answer.length > 2 * MAX_ANSWER_LENGTH) return false;
  let end = answer.length;
  while (end > 0 && TRAILING.has(answer[end - 1] as string)) end -= 1;
  const bare = answer.slice(0, end).trim();
  if (bare.length > MAX_ANSWER_LENGTH) return false;
  return EMPTY_ANSWERS.has(bare) || !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(bare);
}

function isInstruction(line: string, bare: string): boolean {
  const start = BY_INITIALS.get(bare.slice(0, 2))?.find((one) => bare.startsWith(one));
  if (start !== undefined) return !ONLY_TO_READER.has(start) || READER.test(bare.slice(0, 300));
  // A whole line in brackets that tells or asks is a note of the template.
  return (
    line.startsWith('(') &&
    /^\((?:summarize|describe|how|what|paste|list|if you|include|explain|to be|please|possible|optional|beschrijf|wat|hoe|plak|optioneel)\b[^()]{0,300}\)\.?\s{0,5}$/.test(
      line,
    )
  );
}

/** True when nothing but glue is left of a line without its gaps. */
function isOnlyGaps(bare: string): boolean {
  if (!/[[<{…_]|\.\.\./.test(bare)) return false;
  const rest = bare.slice(0, 400).replace(GAP, ' \u0000 ');
  if (!rest.includes('\u0000')) return false;
  return (rest.match(WORD) ?? []).every((word) => GLUE.has(word) || /^\d{1,2}$/.test(word));
}
