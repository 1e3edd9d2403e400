/** A small seeded generator (mulberry32): the same seed gives the same names. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

interface Region {
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly middle?: readonly string[];
}

export const words = (text: string) => text.split(' ');

export const US: Region = {
  given: words(
    'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Christopher Karen Charles Lisa Daniel Nancy Matthew Sandra Anthony Ashley Mark Emily Donald Kimberly Steven Donna Andrew Michelle Paul Carol Joshua Amanda Kenneth Melissa Kevin Deborah Brian Stephanie Timothy Rebecca Ronald Sharon Jason Laura Edward Cynthia Jeffrey Dorothy Ryan Amy Jacob Kathleen Nicholas Angela Gary Shirley Eric Emma Jonathan Brenda Stephen Pamela Larry Nicole Justin Anna Scott Samantha Brandon Katherine Tyler Megan Austin Hannah Logan Madison Dylan Brooke Jordan Alexis Caleb Morgan Ethan Chloe',
  ),
  family: words(
    'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel Myers Long Ross Foster Jimenez',
  ),
  middle: words('A. B. C. D. E. F. G. H. J. K. L. M. N. P. R. S. T. W. Lynn Marie Lee Ann Ray James Allen Jean'),
};

export const GLOBAL: readonly Region[] = [
  {
    given: words(
      'Hans Ingrid Jürgen Sabine Klaus Petra Wolfgang Ursula Matthias Annika Stefan Katrin Lukas Lena Björn Heike',
    ),
    family: words(
      'Müller Schneider Fischer Weber Becker Hoffmann Schäfer Koch Richter Wolf Neumann Schwarz Zimmermann Krüger Hartmann Lange Vogel Winkler',
    ),
  },
  {
    given: words('Pieter Sanne Daan Femke Joost Marijke Willem Anouk Bram Lotte Ruben Eline'),
    family: words(
      'Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Dijkstra Vermeulen Hoekstra Willems Claes Maes Wouters',
    ),
  },
  {
    given: words('Pierre Camille Julien Amélie Thierry Océane Mathieu Élodie Laurent Manon Olivier Céline'),
    family: words(
      'Dubois Moreau Laurent Lefebvre Leroy Roux Fournier Girard Bonnet Lambert Fontaine Rousseau Chevalier Gauthier Perrin Marchand',
    ),
  },
  {
    given: words('Giulia Marco Francesca Alessandro Chiara Matteo Valentina Lorenzo Federica Davide'),
    family: words(
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Mancini Costa',
    ),
  },
  {
    given: words(
      'Jakub Zuzanna Kacper Agnieszka Wojciech Katarzyna Marcin Małgorzata Tomáš Jana Petr Lenka László Katalin',
    ),
    family: words(
      'Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Novák Svoboda Dvořák Černý Nagy Kovács Tóth Szabó Horváth',
    ),
  },
  {
    given: words('Erik Astrid Lars Freja Anders Sigrid Mikko Aino Magnus Solveig Søren Mette'),
    family: words(
      'Andersson Johansson Karlsson Nilsson Hansen Olsen Larsen Pedersen Berg Haugen Korhonen Virtanen Mäkinen Nielsen Rasmussen',
    ),
  },
  {
    given: words('João Beatriz Thiago Larissa Camila Diego Valeria Andrés Paola Joaquín Ximena Rodrigo Renata'),
    family: words(
      'Silva Santos Oliveira Souza Pereira Ferreira Carvalho Gomes Ribeiro Rojas Contreras Silvestre Quispe Mamani Fuentes Sepúlveda Araya',
    ),
  },
  {
    given: words('Arjun Priya Rohan Ananya Vikram Deepika Sanjay Kavya Rahul Meera Suresh Lakshmi'),
    family: words(
      'Sharma Verma Gupta Iyer Reddy Nair Patel Mehta Chatterjee Banerjee Kulkarni Desai Joshi Menon Rao Pillai',
    ),
  },
  {
    given: words('Emre Elif Burak Zeynep Cem Ayşe Kerem Defne Onur Selin Tolga Ebru'),
    family: words('Yılmaz Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Koç Kurt'),
  },
  {
    given: words('Chinedu Ngozi Kwame Ama Thabo Naledi Wanjiru Kamau Tendai Chipo Adebayo Folake Okello Achieng'),
    family: words(
      'Okafor Adeyemi Mensah Owusu Nkosi Dlamini Mwangi Otieno Moyo Ndlovu Balogun Eze Boateng Kariuki Zulu',
    ),
  },
  {
    given: words('Haruto Yui Sota Aoi Ren Hina Takumi Sakura Kenji Naoko Hiroshi Emi'),
    family: words(
      'Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto',
    ),
  },
  {
    given: words('Minh Linh Thao Duc Huong Quang Trang Tuan Siti Budi Dewi Agus Nur Somchai Anong'),
    family: words('Nguyen Tran Le Pham Hoang Vu Dang Bui Do Wijaya Santoso Susanto Kusuma Saetang Chaiyasit'),
  },
  {
    given: words('Layla Karim Nadia Samir Yasmin Rami Huda Fadi Rania Ziad Lina Tarek Dina Bassam'),
    family: words(
      'Haddad Khoury Nassar Mansour Farouk Sabbagh Zayed Qureshi Shaheen Barakat Fakhoury Sayegh Halabi Najjar',
    ),
  },
  {
    given: words('Ekaterina Maksim Olga Artyom Svetlana Kirill Polina Denis Irina Roman Tatiana Ilya'),
    family: words(
      'Smirnova Kuznetsov Popova Sokolov Lebedeva Kozlov Novikova Morozov Volkova Pavlov Semyonova Golubev Vinogradova',
    ),
  },
];

export const ARABIC_INNOCENT: Region = {
  given: words(
    'ليلى كريم نادية سمير ياسمين رامي هدى فادي رانيا زياد لينا طارق دينا بسام محمد أحمد علي حسن فاطمة مريم يوسف سارة خالد نور عمر هالة سعيد منى وليد سلمى',
  ),
  family: words(
    'حداد الخوري نصار منصور فاروق الصباغ زايد القرشي شاهين بركات فاخوري الصايغ الحلبي النجار العتيبي الشمري القحطاني الدوسري الغامدي الزهراني المالكي البلوشي الحربي المطيري',
  ),
  middle: words('محمد أحمد علي حسن إبراهيم يوسف سالم فهد ماجد سامي'),
};
export const CYRILLIC_INNOCENT: Region = {
  given: words(
    'Екатерина Максим Ольга Артём Светлана Кирилл Полина Денис Ирина Роман Татьяна Илья Анна Сергей Мария Алексей Наталья Дмитрий Елена Андрей',
  ),
  family: words(
    'Смирнов Кузнецов Попов Соколов Лебедев Козлов Новиков Морозов Волков Павлов Семёнов Голубев Виноградов Шевченко Бойко Ткаченко Кравченко Коваленко Бондаренко Олейник',
  ),
  middle: words(
    'Александрович Сергеевич Иванович Петрович Николаевич Владимирович Викторович Андреевич Юрьевич Михайлович',
  ),
};
export const GREEK_INNOCENT: Region = {
  given: words('Γιώργος Μαρία Νίκος Ελένη Δημήτρης Κατερίνα Κώστας Σοφία'),
  family: words('Παπαδόπουλος Παππάς Καραγιάννης Νικολάου Ιωάννου Αντωνίου Οικονόμου Δημητρίου'),
};
export const HEBREW_INNOCENT: Region = {
  given: words('נועה דוד יעל אורי תמר איתי מיכל רון'),
  family: words('כהן לוי מזרחי פרץ ביטון אברהם פרידמן שפירא'),
};
export const HAN_INNOCENT: Region = {
  given: words('伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 涛 明 超 秀英 霞 平 刚 桂英 建华 晓明 志强'),
  family: words('王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 罗'),
};
export const HANGUL_INNOCENT: Region = {
  given: words('민준 서연 도윤 하은 지호 수아 예준 지우 현우 유진 성민 은지'),
  family: words('김 이 박 최 정 강 조 윤 장 임 한 오'),
};

/** A name of nobody in particular, as people of the region are called. */
export function innocent(region: Region, dice: Dice, joint = ' '): string {
  const parts = [dice.of(region.given)];
  if (region.middle !== undefined && dice.chance(0.5)) parts.push(dice.of(region.middle));
  const family = dice.of(region.family);
  return (joint === '' ? [family, ...parts] : [...parts, family]).join(joint);
}
