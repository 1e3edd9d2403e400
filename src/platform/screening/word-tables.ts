/** Words that say little about who is named, and words that say the same in other forms. All are in folded form. */

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** `form: variant, variant` per line, as a map from variant to form. */
export function variantMap(text: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [form = '', variants = ''] = line.trim().split(': ');
    for (const variant of [form, ...variants.split(', ')]) if (!map.has(variant)) map.set(variant, form);
  }
  return map;
}

/** Legal forms by kind; a variant may be of several words. */
export const LEGAL_FORMS = variantMap(`
llc: mhdwdh, almhdwdh, limited liability company, limited liability co, ooo, obshchestvo s ogranichennoy otvetstvennostyu, obshchestvo s ogranichennoi otvetstvennostyu, obshchestvo s ogranichennoi otvetstvennostiu, obschestvo s ogranichennoy otvetstvennostyu, tov, tovarystvo z obmezhenoyu vidpovidalnistyu, too, gmbh, gesellschaft mit beschrankter haftung, ltd, limited, private limited, pvt ltd, pvt, pte ltd, pte, pty ltd, pty, private limited company, co ltd, company limited, co limited, company ltd, sarl, societe a responsabilite limitee, srl, societatea cu raspundere limitata, societa a responsabilita limitata, sl, sociedad limitada, sociedad de responsabilidad limitada, ltda, limitada, bv, besloten vennootschap, bvba, besloten vennootschap met beperkte aansprakelijkheid, sp z oo, sp zoo, spolka z ograniczona odpowiedzialnoscia, eood, ood, doo, kft, korlatolt felelossegu tarsasag, sro, spol s ro, oy, osakeyhtio, ab, aktiebolag, as, aksjeselskap, aps, anpartsselskab, uab, sia, epe, fze, fzco, fzc, fzllc, fz llc, mbh, gesellschaft mbh, ges mbh, shpk, sp z o o, s r o, s de rl de cv, srl de cv, eireli, eirl, drustvo s ogranicenom odgovornoscu, spolecnost s rucenim omezenym, sociedad por acciones simplificada, free zone enterprise, free zone llc, tovarishchestvo s ogranichennoy otvetstvennostyu, anonymi etaireia, osauhing, free zone establishment, free zone company, dmcc, wll, sdn bhd, ug, eurl, sas, sasu, youxian gongsi, youxian zeren gongsi, mchj, mmc
jsc: joint stock company, joint stock co, ao, oao, pao, zao, ojsc, cjsc, pjsc, pjs, aktsionernoe obshchestvo, aktsionernoye obshchestvo, otkrytoe aktsionernoe obshchestvo, otkrytoye aktsionernoye obshchestvo, publichnoe aktsionernoe obshchestvo, publichnoye aktsionernoye obshchestvo, zakrytoe aktsionernoe obshchestvo, zakrytoye aktsionernoye obshchestvo, open joint stock company, closed joint stock company, public joint stock company, private joint stock company, ag, aktiengesellschaft, sa, societe anonyme, sociedad anonima, sociedade anonima, spa, societa per azioni, nv, naamloze vennootschap, plc, public limited company, public limited co, sal, societe anonyme libanaise, offshore sal, sal offshore, tas, anonim sirketi, asa, aktieselskab, oyj, ad, dd, rt, nyrt, zrt, kk, kabushiki kaisha, tbk, pt, perseroan terbatas, sadecv, sa de cv, de cv, sociedad anonima de capital variable, saog, pat, prat, gufen youxian gongsi, sa de, sapi de cv, sha, shoqeri aksionere, sacif, sociedad por acciones, public limited, akcionarsko drustvo, dionicko drustvo, aktsionerno druzhestvo, spolka akcyjna, akciova spolecnost, jv, joint venture, se, societas europaea, bhd, berhad
corp: corporation, incorporated, inc, incorp, na
co: shrkh, shrkt, alshrkh, company, compania, cia, compagnie, cie, kompaniya, kompanija, sherkat, sharikat, sharika, gongsi, hoesa, kaisha
lp: limited partnership, llp, limited liability partnership, kg, kommanditgesellschaft, gmbh and co kg, cv, commanditaire vennootschap, sca, scs, lllp
gp: general partnership, snc, vof, vennootschap onder firma, maatschap, ohg, gbr
soe: fgup, federalnoe gosudarstvennoe unitarnoe predpriyatie, gup, mup, federal state unitary enterprise, state unitary enterprise, dp
coop: cooperative, kooperativ, eg, scrl, cooperatie, spk
ngo: ev, eingetragener verein, stichting, vzw, asbl, ano, avtonomnaya nekommercheskaya organizatsiya, autonomous non profit organization, nonprofit organization
ip: individualnyy predprinimatel, individual entrepreneur, eenmanszaak, sole proprietorship
`);

export const LEGAL_FORM_KINDS: readonly string[] = [...new Set(LEGAL_FORMS.values())];

/** Company words whose translations and short forms mean the same. */
export const COMPANY_WORDS = variantMap(`
international: intl, int, internacional, internationale, mezhdunarodnyy, mezhdunarodnaya, mezhdunarodnoe, uluslararasi, internazionale, guoji
group: grp, grupo, groupe, gruppe, gruppa, grup, groep, hrupa, jituan
bank: banco, banque, banca, banka, bankas, banken, bankasi, yinhang
trade: trading, trader, traders, torgovyy, torgovaya, comercio, handel, ticaret, handels, commerce, maoyi, tijarat, tejarat, bazargani
holding: holdings, kholding, hldg, hldgs
industry: industries, industrial, industria, industrias, industrie, industrie, promyshlennyy, promyshlennaya, sanayi, gongye, sanat, sanaye
development: dev, desarrollo, razvitie, razvitiya, developpement, entwicklung, fazhan
organization: organisation, org, organizatsiya, organizacion, organizacija, orhanizatsiya, organizzazione, organizacao, sazman
association: assoc, asociacion, associacao, assotsiatsiya, associazione, asotsiatsiya, vereniging, verband, jamiat
foundation: establishment, establishments, fdn, fundacion, fondation, fond, fundacao, fondazione, vakfi, bonyad, muassasa
center: centre, tsentr, centro, zentrum, centrum, markaz, merkezi, zhongxin
institute: institut, instituto, inst, istituto, institutul
enterprise: enterprises, predpriyatie, empresa, entreprise, unternehmen
plant: factory, zavod, fabrika, fabrik, usine, fabrica, works, kombinat, karkhaneh, gongchang
department: dept, departament, departamento
ministry: ministerstvo, ministerio, ministere, ministerium, vezarat, wizarat
management: mgmt, upravlenie, gestion, upravlinnya, guanli
services: service, svc, servicios, servis, uslugi, dienst, diensten, services, fuwu
shipping: sudokhodnaya, navigation, navegacion, denizcilik, hangyun, keshtirani
transport: transportation, transportes, transporte, transports, nakliyat, transportnaya, yunshu
investment: investments, inversiones, invest, investitsii, investissement, yatirim, touzi
engineering: eng, engr, inzhiniring, ingenieria, ingenierie, muhendislik, gongcheng
technology: technologies, tech, tekhnologii, tekhnologiya, tecnologia, tecnologias, technologie, technologia, teknoloji, keji, fanavari
construction: constructora, stroitelstvo, stroitelnaya, construcciones, insaat, bau, jianshe, constructions
energy: energia, energiya, enerji, energie, energetika, nengyuan
petroleum: oil, neft, petroleo, petrol, neftyanaya, shiyou, naft
national: natl, nacional, natsionalnyy, natsionalnaya, nationale, ulusal, melli, watani
state: gosudarstvennyy, gosudarstvennaya, gosudarstvennoe, estatal, derzhavne, staatliche
general: gen, generalnyy, generalnoe
public: publichnyy, publico, obshchestvennaya, obshchestvennoe
republic: republica, respublika, republique, republik, jumhuriya
federation: fed, federatsiya, federacion, foderation
university: universitet, universidad, universite, universiteit, universitat, daneshgah, daxue
academy: akademiya, akademie, academia, akademia
agency: agentstvo, agencia, agence, agentur, agentschap
security: bezopasnost, seguridad, securite, sicherheit
military: voennyy, voennaya, militar, militaire, nezami
aviation: aviatsiya, aviatsionnyy, aviacion, havacilik, hangkong, avia
airlines: airline, aviakompaniya, avialinii, aerolineas
commercial: kommercheskiy, comercial, comercializadora
export: eksport, exportadora, chukou
import: importadora, jinkou
islamic: islami, islamique, islamiya, eslami
united: unidos, obedinennaya, obedinennyy, vereinigte, unis
labor: labour
exchange: exchanges, sarafi, sarrafi
office: bureau
money: monetary
brothers: bros, brother
and: und, et, ve
`);

export const PARTICLES = wordSet(
  'al el ul ur ad as ar az an ash at abul abol ud ed ben bin ibn bint bent binti abu abou abi umm um ould wuld wald mint van von der den de del della di da do dos das du la le les los las ter ten te zu zum af av of the for in on fi and st saint san santa ap mac bar bat dit dite i y e au aux o mv ms mt m/v hong-kong',
);
export const TITLES = wordSet(
  'mr mrs ms miss mister dr doctor doktor prof professor sir lord lady dame hon honorable honourable excellency he hrh prince princess king queen president prasident presidente admiral general gen colonel col major maj captain capt lieutenant lt brigadier sergeant marshal commander ambassador minister senator governor sheikh shaikh shaykh cheikh sheik haji hajji hajj hadji alhaj alhaji haj mullah mulla maulavi mawlawi maulawi mawlana maulana molvi qari hafiz imam ayatollah hojatoleslam sayyid sayyed sayed seyed syed mufti ustad akhund agha engineer eng monsieur madame mme herr frau senor senora jr sr junior senior esq phd md father reverend rev bishop comrade citizen gospodin pan pani mawlavi alhajji',
);
/** Names that many people bear; alone they say nothing. */
export const GENERIC_NAMES = wordSet(
  'abdaziz abdhaq abdrahman abdsamad abdullah abuabdullah abuaisha abuakram abuali abuanas abubakr abuhajar abuhamza abuismail abujihad abukhattab abumuhammad abumusab abuomar abuubaidah bilal hassan muhammad ahmad hussein ali omar ibrahim',
);
/** Regions that a firm adds to its name. */
export const REGIONS = wordSet(
  'europe european eu uae usa us uk asia africa america americas emea apac gulf east middle far north south west overseas worldwide germany deutschland france italy italia spain espana poland polska turkey turkiye china india japan korea russia ukraine iran iraq syria lebanon egypt libya dubai london singapore switzerland schweiz austria netherlands nederland belgium cyprus greece malta bulgaria serbia hungary romania finland sweden norway denmark latvia lithuania estonia georgia armenia azerbaijan kazakhstan uzbekistan pakistan afghanistan indonesia malaysia thailand vietnam brazil brasil argentina colombia peru chile mexico canada australia emirates qatar kuwait bahrain oman jordan yemen',
);
/** Lines of business that make another firm of a name. */
export const OTHER_BUSINESS = wordSet(
  'apartments apartment hotel hotels restaurant restaurants restoran school schools hospital clinic club sports football church bakery cleaning cream noodles pharmacy museum library cafe coffee salon laundry dental kindergarten college theatre theater cinema music orchestra garden gardens flowers florist furniture toys shoes fashion clothing optics tours travel insurance realty estate agency casino brewery winery dairy bookshop books toyshop spa gym fitness yoga jewellery jewelry carpets tiles',
);
/** What stands between two names of one entity. */
export const SPLIT_PHRASES: readonly string[] =
  'also known as|formerly known as|previously known as|presently known as|earlier known as|doing business as|trading as|formerly|a.k.a.|a.k.a|a/k/a|f/k/a|d/b/a|aka|fka|dba'.split(
    '|',
  );

const NUMBER_WORDS =
  '0 zero null cero|1 one first premier eins erste erster primero primera odin pervyy pervaya i|2 two second zwei zweite segundo segunda dva vtoroy ii|3 three third drei dritte tercero tri tretiy iii|4 four fourth vier vierte cuarto chetyre chetvertyy iv|5 five fifth funf quinto pyat pyatyy v|6 six sixth sechs shest vi|7 seven seventh sieben sem vii|8 eight eighth acht vosem viii|9 nine ninth neun devyat ix|10 ten tenth zehn desyat|11 eleven eleventh elf xi|12 twelve twelfth zwolf xii|13 thirteen thirteenth xiii|14 fourteen fourteenth xiv|15 fifteen fifteenth xv|16 sixteen sixteenth xvi|17 seventeen seventeenth xvii|18 eighteen eighteenth xviii|19 nineteen nineteenth xix|20 twenty twentieth zwanzig xx|30 thirty thirtieth|40 forty fourty fortieth|50 fifty fiftieth|60 sixty sixtieth|70 seventy seventieth|80 eighty eightieth|90 ninety ninetieth|100 hundred hundredth|1000 thousand';
export const NUMBERS: ReadonlyMap<string, number> = new Map(
  NUMBER_WORDS.split('|').flatMap((row) => {
    const [digits, ...words] = row.split(' ');
    return words.filter((word) => word !== 'i' && word !== 'v').map((word) => [word, Number(digits)] as const);
  }),
);

/** Words that many unrelated names share: common given and family names, and words of trade. They weigh less. */
export const COMMON_WORDS = wordSet(
  'muhammad ahmad hussein hassan abdullah ali omar ibrahim yusuf mustafa khalid said sayyid mahmud rahman daud musa isa saleh salih salim karim khan shah hamid rashid mahdi jamal nasir nasser malik amir aziz abbas akbar reza amin hadi majid khalil tariq bashir hamza habib latif noor nur rahim salman sultan walid islam abdul abd qasim ismail sulayman uthman yahya ' +
    'sergey aleksandr aleksey dmitry mikhail nikolay vladimir yevgeny andrey yury ivan pyotr pavel viktor vasily igor oleg anatoly ivanov petrov vladimirovich aleksandrovich nikolaevich sergeevich ivanovich mikhailovich viktorovich andreevich yurievich petrovich alekseevich dmitrievich ' +
    'luis carlos jorge miguel antonio manuel francisco fernando eduardo rafael ramon mario oscar javier enrique alberto jesus maria gonzalez rodriguez lopez garcia perez hernandez martinez sanchez ramirez torres flores gomez diaz cruz reyes morales castro vargas ramos ortiz gutierrez alvarez ruiz rivera mendoza castillo jimenez moreno romero ' +
    'kim lee park choi jung chol song yong nam wang li zhang chen liu yang huang wu zhou xu sun ma zhu lin he guo wei ming hong jian yan ' +
    'john james robert michael william david richard thomas charles daniel matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel frank gregory raymond alexander patrick jack dennis jerry peter martin simon ' +
    'mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon anna ana ' +
    'smith johnson williams brown jones miller davis wilson anderson taylor moore jackson lee thompson white harris clark lewis robinson walker young allen king wright scott hill green adams baker nelson carter mitchell roberts campbell turner phillips parker evans edwards collins stewart morris murphy cook rogers ' +
    'new star global east west north south golden general central first gulf sea ocean pars iran iranian syrian korea china russia russian arab africa asia america europe state people city blue red black royal union star sun world',
);
