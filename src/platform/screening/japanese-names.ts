/** Common family and given names of Japan as they are written and read: `written read` in turn. */
const FAMILIES =
  '佐藤 sato 鈴木 suzuki 高橋 takahashi 田中 tanaka 伊藤 ito 渡辺 watanabe 渡邊 watanabe 渡部 watanabe 山本 yamamoto 中村 nakamura 小林 kobayashi 加藤 kato 吉田 yoshida 山田 yamada 佐々木 sasaki 山口 yamaguchi 松本 matsumoto 井上 inoue 木村 kimura 林 hayashi 斎藤 saito 斉藤 saito 清水 shimizu 山崎 yamazaki 森 mori 池田 ikeda 橋本 hashimoto 阿部 abe 石川 ishikawa 山下 yamashita 中島 nakajima 石井 ishii 小川 ogawa 前田 maeda 岡田 okada 長谷川 hasegawa 藤田 fujita 後藤 goto 近藤 kondo 村上 murakami 遠藤 endo 青木 aoki 坂本 sakamoto 福田 fukuda 太田 ota 大田 ota 西村 nishimura 藤井 fujii 金子 kaneko 岡本 okamoto 藤原 fujiwara 三浦 miura 中野 nakano 原田 harada 中川 nakagawa 松田 matsuda 竹内 takeuchi 小野 ono 田村 tamura 中山 nakayama 和田 wada 石田 ishida 森田 morita 上田 ueda 原 hara 内田 uchida 柴田 shibata 酒井 sakai 宮崎 miyazaki 横山 yokoyama 高木 takagi 安藤 ando 宮本 miyamoto 大野 ono 小島 kojima 工藤 kudo 谷口 taniguchi 今井 imai 高田 takada 丸山 maruyama 増田 masuda 杉山 sugiyama 村田 murata 大塚 otsuka 小山 koyama 平野 hirano 藤本 fujimoto 河野 kono 上野 ueno 野口 noguchi 武田 takeda 松井 matsui 千葉 chiba 岩崎 iwasaki 菅原 sugawara 木下 kinoshita 久保 kubo 佐野 sano 野村 nomura 松尾 matsuo 市川 ichikawa 菊地 kikuchi 杉本 sugimoto 古川 furukawa 大西 onishi 島田 shimada 水野 mizuno 桜井 sakurai 高野 takano 渡 watari 吉川 yoshikawa 山内 yamauchi 西田 nishida 飯田 iida 菊池 kikuchi 西川 nishikawa 小松 komatsu 北村 kitamura 安田 yasuda 五十嵐 igarashi 川口 kawaguchi 平田 hirata 関 seki 中田 nakata 久保田 kubota 服部 hattori 東 higashi 岩田 iwata 土屋 tsuchiya 川崎 kawasaki 福島 fukushima 本田 honda 辻 tsuji 樋口 higuchi 秋山 akiyama 田口 taguchi 永井 nagai 中西 nakanishi 吉村 yoshimura 川上 kawakami 石原 ishihara 大橋 ohashi 松岡 matsuoka 馬場 baba 浜田 hamada 森本 morimoto 星野 hoshino 黒田 kuroda 矢野 yano 浅野 asano 片山 katayama 松浦 matsuura 安倍 abe 岸田 kishida 菅 suga 石破 ishiba 高市 takaichi 麻生 aso 福山 fukuyama 大島 oshima 大川 okawa 麻原 asahara 重信 shigenobu';
const GIVEN =
  '誠 makoto 博 hiroshi 浩 hiroshi 弘 hiroshi 宏 hiroshi 隆 takashi 孝 takashi 健 ken 健一 kenichi 健二 kenji 賢治 kenji 一郎 ichiro 太郎 taro 次郎 jiro 二郎 jiro 三郎 saburo 四郎 shiro 五郎 goro 和夫 kazuo 和子 kazuko 洋子 yoko 陽子 yoko 恵子 keiko 京子 kyoko 幸子 sachiko 久美子 kumiko 由美子 yumiko 裕子 yuko 優子 yuko 明子 akiko 昭子 akiko 直子 naoko 智子 tomoko 典子 noriko 美智子 michiko 雅子 masako 正子 masako 花子 hanako 良子 ryoko 真由美 mayumi 美香 mika 愛 ai 葵 aoi 陽菜 hina 早苗 sanae 房子 fusako 茂 shigeru 勝 masaru 進 susumu 実 minoru 清 kiyoshi 勇 isamu 学 manabu 剛 tsuyoshi 修 osamu 豊 yutaka 聡 satoshi 智 satoshi 哲也 tetsuya 拓也 takuya 達也 tatsuya 和也 kazuya 大輔 daisuke 翔太 shota 健太 kenta 直樹 naoki 秀樹 hideki 英樹 hideki 裕之 hiroyuki 博之 hiroyuki 弘之 hiroyuki 浩之 hiroyuki 義雄 yoshio 正雄 masao 秀雄 hideo 武 takeshi 猛 takeshi 毅 takeshi 明 akira 昭 akira 章 akira 彰 akira 純一郎 junichiro 純一 junichi 晋三 shinzo 文雄 fumio 義偉 yoshihide 太 futoshi 智津夫 chizuo 彰晃 shoko 翔 sho 蓮 ren 悠真 yuma 陽翔 haruto 湊 minato 真一 shinichi 信一 shinichi 幸一 koichi 光一 koichi 浩一 koichi 浩二 koji 孝二 koji 康夫 yasuo 昇 noboru 正 tadashi 忠 tadashi 稔 minoru 直人 naoto 敏 satoshi 敏夫 toshio 俊夫 toshio 利夫 toshio';

function readMap(text: string): ReadonlyMap<string, string> {
  const cells = text.split(' ');
  const map = new Map<string, string>();
  for (let at = 0; at < cells.length; at += 2) map.set(cells[at] as string, cells[at + 1] as string);
  return map;
}

const FAMILY_READINGS = readMap(FAMILIES);
const GIVEN_READINGS = readMap(GIVEN);
const LONGEST_FAMILY = 3;
const MAX_CHARACTERS = 8;

/** The Japanese reading of a name in Chinese characters, where both of its parts are known. */
export function kanjiReading(name: string): string | undefined {
  const characters = Array.from(name.normalize('NFKC').replace(/[\s・]/g, ''));
  if (characters.length > MAX_CHARACTERS) return undefined;
  for (let count = Math.min(LONGEST_FAMILY, characters.length - 1); count > 0; count -= 1) {
    const family = FAMILY_READINGS.get(characters.slice(0, count).join(''));
    const given = GIVEN_READINGS.get(characters.slice(count).join(''));
    if (family !== undefined && given !== undefined) return `${family} ${given}`;
  }
  return undefined;
}
