/** Words of the Arabic script, Arabic and Persian, that names of people and organisations are made of. */

function wordMap(text: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [form = '', words = ''] = line.split(': ');
    for (const word of words.split(' ')) map.set(word, form);
  }
  return map;
}

/** Particles and titles, which are better known by their Latin form than by their letters. */
export const ARABIC_NAME_WORDS = wordMap(`
abu: ابو أبو ابی ابي أبي ابا أبا
bin: بن ابن إبن
bint: بنت
al: ال آل
ould: ولد
umm: ام أم
allah: الله اللہ
sheikh: الشيخ شيخ شیخ
haji: حاج الحاج حاجي حاجی
mullah: ملا
dr: دكتور الدكتور دکتر
in: في فی
of: من
and: و
`);

/** What words of organisations mean: these are translated as often as they are transliterated. */
const MEANINGS = wordMap(`
bank: بنك بانک مصرف
foundation: مؤسسة مؤسسه موسسه بنیاد
organization: منظمة تنظيم سازمان منظمات
association: جمعية رابطة انجمن جمعیت
international: دولية دولي عالمية عالمي بین‌المللی المللی
trade: تجارة تجارية تجاري بازرگانی تجارت متاجرة
group: مجموعة جماعة گروه جماعت
company: شركة شرکت مؤسسات
network: شبكة شبکه
front: جبهة جبهه
movement: حركة حرکت جنبش
army: جيش ارتش جیش
party: حزب
brigade: لواء تيپ تیپ ألوية سرايا
battalion: كتيبة كتائب گردان
state: دولة دولت
office: مكتب دفتر
exchange: صرافة صرافی صيرفة
money: أموال اموال
transfer: حوالة حوالات تحويل
center: مركز مرکز
institute: معهد انستیتو پژوهشکده
university: جامعة دانشگاه
ministry: وزارة وزارت
committee: لجنة کمیته هيئة
commission: مفوضية کمیسیون
council: مجلس شورى شورای
union: اتحاد اتحادیه
fund: صندوق
factory: مصنع معمل کارخانه
industry: صناعة صناعات صناعية صنایع صنعت صنعتی
development: تنمية تطوير توسعه
investment: استثمار استثمارات سرمایه‌گذاری
holding: قابضة
general: عامة عام
national: وطنية وطني ملی قومية
public: عمومی
republic: جمهورية جمهوری
united: متحدة
islamic: إسلامية إسلامي اسلامی
arab: عربية عربي عربی
charity: خيرية خيري خیریه بر
relief: إغاثة امداد
humanitarian: إنسانية انسانی
support: نصرة دعم
victory: نصر پیروزی
combatant: مقاتلة مقاتل مقاتلين مقاتلون
people: أهل شعب مردم شعبية
liberation: تحرير
resistance: مقاومة مقاومت
salvation: إنقاذ
call: دعوة
reform: إصلاح
justice: عدالة عدل عدالت
unity: وحدة وحدت
revolution: ثورة انقلاب
revolutionary: ثورية
guard: حرس پاسداران حراس
corps: سپاه فيلق
force: قوة نیرو نیروی قوات
security: أمن امنیت أمنية
military: عسكرية عسكري نظامی
defense: دفاع
air: جوية جوي هوایی
airlines: هواپیمایی طيران خطوط
shipping: کشتیرانی ملاحة شحن
maritime: بحرية بحري دریایی
transport: نقل حمل ترابری
petroleum: نفط نفت بترول
petrochemical: پتروشیمی بتروكيماويات
gas: غاز گاز
energy: طاقة انرژی
electricity: كهرباء برق
construction: بناء إنشاءات ساختمانی مقاولات
engineering: هندسة مهندسی هندسية
technology: تكنولوجيا تقنية فناوری
research: أبحاث بحوث پژوهشی تحقیقات
studies: دراسات علمية
science: علوم علم
education: تعليم تربية آموزش
medical: طبية پزشکی
media: إعلام إعلامية رسانه
radio: إذاعة رادیو
television: تلفزيون تلویزیون
food: أغذية غذایی
services: خدمات خدماتی
supply: تموين تأمین
contracting: تعاقدات
brothers: إخوان اخوان برادران
sons: أبناء أولاد پسران
martyrs: شهداء شهیدان
youth: شباب جوانان
students: طلاب طالبان
world: عالم جهان
land: أرض
iraq: عراق عراقية عراقي
syria: سورية سوريا سوري
libya: ليبيا ليبية ليبي
egypt: مصر مصرية مصري
tunisia: تونس تونسية تونسي
algeria: جزائر جزائرية جزائري
morocco: مغربية
maghreb: مغرب
yemen: يمن يمنية يمني
lebanon: لبنان لبنانية لبناني
palestine: فلسطين فلسطينية فلسطيني
jordan: أردن أردنية
sudan: سودان سودانية
somalia: صومال
iran: إيران ایران إيرانية ایرانی
pakistan: پاکستان باكستان
afghanistan: أفغانستان افغانستان
levant: شام
gulf: خليج خلیج
peninsula: جزيرة
africa: أفريقيا إفريقيا
east: شرق شرقية
west: غرب غربية
`);

/** Letters that are written in more than one way. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  '\u200c': '',
};
const PREFIX = /^(?:وال|بال|فال|كال|لل|ال)(?=.{2})/;
const SMALL_PREFIX = /^[لبو](?=.{3})/;

function plainLetters(word: string): string {
  return Array.from(word, (letter) => SAME_LETTERS[letter] ?? letter).join('');
}

const BY_LETTERS = new Map(Array.from(MEANINGS, ([word, meaning]) => [plainLetters(word), meaning] as const));

/** What a word of an organisation's name means in English, with or without article and preposition. */
export function meaningOf(original: string): string | undefined {
  const word = plainLetters(original);
  return (
    BY_LETTERS.get(word) ?? BY_LETTERS.get(word.replace(PREFIX, '')) ?? BY_LETTERS.get(word.replace(SMALL_PREFIX, ''))
  );
}

/** English words that have the meanings above and are no company words; variants share one. */
export const MEANING_WORDS: ReadonlyMap<string, string> = new Map([
  ...[...new Set(MEANINGS.values())].map((word) => [word, word] as const),
  ...'combatant fighting|combatant fighters|combatant militant|victory triumph|exchange exchanges|exchange remittance|network networks|front fronts|brigade brigades|battalion battalions|army armies|union unions|council councils|charity charitable|charity charities|relief aid|liberation freedom|revolution revolutions|guard guards|guard guardians|force forces|maritime marine|defense defence|airlines airways|airlines aviation|research researches|studies study|science sciences|science scientific|education educational|media information|youth young|students student|brothers bros|brothers brother|sons son|martyrs martyr|iraq iraqi|syria syrian|libya libyan|egypt egyptian|tunisia tunisian|algeria algerian|morocco moroccan|yemen yemeni|lebanon lebanese|palestine palestinian|jordan jordanian|sudan sudanese|somalia somali|iran iranian|pakistan pakistani|afghanistan afghan|levant sham|africa african|arab arabian|east eastern|west western|electricity electric|electricity power|contracting contractors|construction building|money monetary|office bureau|petrochemical petrochemicals|food foods|supply supplies|state states|people peoples'
    .split('|')
    .map((pair) => pair.split(' ').toReversed() as [string, string]),
]);

/** Given names of the Arabic script, by the first form of their group in `NAME_GROUPS`. */
export const ARABIC_GIVEN_NAMES = wordMap(`
muhammad: محمد
abdullah: عبدله
ahmad: احمد أحمد
hussein: حسين حسین
hassan: حسن
yusuf: يوسف یوسف
ibrahim: ابراهيم إبراهيم ابراهیم
sulayman: سليمان سلیمان
ismail: اسماعيل إسماعيل اسماعیل
osama: اسامة أسامة
omar: عمر
uthman: عثمان
khalid: خالد
said: سعيد سعید
qasim: قاسم
mahmud: محمود
mustafa: مصطفى مصطفی
musa: موسى موسی
isa: عيسى عیسی
yahya: يحيى یحیی
daud: داود داوود
yaqub: يعقوب یعقوب
ishaq: اسحاق إسحاق
ali: علي علی
karim: كريم کریم
hamid: حامد حميد حمید
rashid: راشد رشيد رشید
salim: سالم سليم سلیم
saleh: صالح
salman: سلمان
nasir: ناصر
jamal: جمال
kamal: كمال کمال كامل
jamil: جميل
adil: عادل
walid: وليد ولید
tariq: طارق
tahir: طاهر
habib: حبيب حبیب
haidar: حيدر حیدر
hamza: حمزة حمزه
jafar: جعفر
khalil: خليل خلیل
mahdi: مهدي مهدی
mansur: منصور
marwan: مروان
masud: مسعود
mubarak: مبارك
munir: منير
murad: مراد
nabil: نبيل
najib: نجيب نجیب
samir: سمير
sharif: شريف شریف
shakir: شاكر
yasir: ياسر
yasin: ياسين یاسین
yunus: يونس یونس
zakariya: زكريا زکریا
ziyad: زياد
amr: عمرو
amin: امين أمين امین
anwar: انور أنور
ashraf: اشرف أشرف
ayman: ايمن أيمن
ayyub: ايوب أيوب ایوب
bilal: بلال
faisal: فيصل فیصل
faruq: فاروق
fatima: فاطمة فاطمه
aisha: عائشة عایشه
maryam: مريم مریم
zaynab: زينب زینب
`);
