/** Traditional characters of names, each followed by the simplified one. */
const PAIRS = Array.from(
  '愛爱奧奥寶宝鮑鲍貝贝畢毕邊边標标賓宾濱滨財财燦灿倉仓產产長长車车陳陈誠诚遲迟傳传創创純纯叢丛聰聪達达單单黨党鄧邓電电東东竇窦爾尔發发範范飛飞費费馮冯風风豐丰鋒锋鳳凤復复剛刚鋼钢龔龚宮宫顧顾關关廣广貴贵國国韓韩漢汉賀贺紅红鴻鸿華华懷怀歡欢環环黃黄輝辉會会紀纪機机繼继賈贾簡简堅坚劍剑蔣蒋將将傑杰潔洁晉晋進进錦锦靜静經经軍军凱凯開开礦矿鄺邝賴赖來来蘭兰藍蓝勞劳樂乐麗丽禮礼連连聯联靈灵劉刘龍龙婁娄陸陆盧卢魯鲁呂吕倫伦羅罗駱骆馬马麥麦滿满門门聶聂寧宁歐欧龐庞鵬鹏樸朴齊齐啟启錢钱強强喬乔慶庆權权饒饶榮荣勝胜聖圣時时實实壽寿書书樹树雙双順顺蘇苏孫孙譚谭談谈湯汤濤涛騰腾鐵铁萬万韋韦衛卫偉伟維维溫温吳吴習习賢贤顯显項项蕭萧曉晓謝谢興兴許许軒轩學学嚴严顏颜楊杨陽阳堯尧葉叶業业義义銀银應应遠远雲云運运澤泽戰战張张趙赵鄭郑鐘钟莊庄總总鄒邹亞亚徹彻',
);

const SIMPLIFIED = new Map<string, string>();
for (let at = 0; at + 1 < PAIRS.length; at += 2) SIMPLIFIED.set(PAIRS[at] as string, PAIRS[at + 1] as string);

/** The simplified form of a character: the two are one. */
export function simplified(character: string): string {
  return SIMPLIFIED.get(character) ?? character;
}
