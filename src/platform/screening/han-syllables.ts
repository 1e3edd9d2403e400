/** Mandarin readings, without tones, of characters that are common in names of people, places and firms. */
const READINGS = `
a 阿|ai 艾爱愛|an 安|ao 奥奧敖傲|ba 巴八|bai 白百柏|ban 班版|bang 邦|bao 包宝寶保鲍鮑|bei 北贝貝
ben 本|bi 毕畢碧|bian 边邊卞|biao 彪标標|bin 斌彬宾賓滨濱|bing 兵冰炳丙|bo 波博伯勃|bu 卜布部
cai 蔡才财財采|can 灿燦|cang 仓倉|cao 曹|cen 岑|ceng 层|chai 柴|chan 产產|chang 长長常昌
chao 超朝潮晁|che 车車|chen 陈陳晨辰臣|cheng 成程诚誠城承|chi 池迟遲|chong 冲崇|chu 楚储褚出
chuan 川传傳船|chuang 创創|chun 春纯純|ci 慈|cong 丛叢聪聰|cui 崔翠|cun 存|da 大达達
dai 戴代|dan 丹单單|dang 党黨|dao 道刀|de 德|deng 邓鄧登|di 迪狄第地帝|dian 电電典|ding 丁定鼎
dong 东東董冬|dou 窦竇|du 杜都|duan 段端|duo 多|e 鄂|en 恩|er 尔爾二|fa 发發法|fan 范範樊凡帆
fang 方芳房|fei 飞飛费費菲|fen 芬|feng 冯馮风風丰豐峰锋鋒凤鳳|fu 傅付符福富甫复復|gan 甘干
gang 刚剛钢鋼港|gao 高|ge 葛戈格|gen 根|geng 耿庚|gong 龚龔公工宫宮功|gou 苟|gu 顾顧古谷
guan 关關管官冠|guang 光广廣|gui 桂贵貴|guo 郭国國果|ha 哈|hai 海|han 韩韓汉漢翰|hang 航杭
hao 郝浩豪昊好|he 何贺賀和河赫|hei 黑|heng 恒衡|hong 洪红紅宏鸿鴻|hou 侯后|hu 胡湖虎|hua 华華花
huai 怀懷|huan 欢歡环環|huang 黄黃皇|hui 惠辉輝慧会會|huo 霍火|ji 季吉纪紀基集机機继繼|jia 贾賈家嘉佳
jian 建简簡健坚堅剑劍|jiang 江蒋蔣姜将將|jiao 焦交|jie 杰傑洁潔|jin 金晋晉进進锦錦|jing 静靜京景晶敬经經
jiu 九久|ju 居巨|juan 娟|jun 军軍君俊均|kai 凯凱开開|kang 康|ke 柯克科可|kong 孔空控|ku 库
kuang 矿礦邝鄺|kun 坤昆|lai 赖賴来來|lan 兰蘭蓝藍岚|lang 郎|lao 劳勞|le 乐樂|lei 雷磊|leng 冷
li 李黎力立丽麗利理礼禮莉|lian 连連联聯莲|liang 梁良亮|liao 廖|lin 林琳霖|ling 凌灵靈玲令|liu 刘劉柳六
long 龙龍隆|lou 娄婁|lu 陆陸卢盧鲁魯路禄吕呂绿|luan 栾|lun 伦倫|luo 罗羅洛骆駱|ma 马馬|mai 麦麥
man 满滿|mao 毛茂|mei 梅美|men 门門|meng 孟蒙|mi 米|miao 苗|min 民敏|ming 明名铭|mo 莫
mu 穆木牧|na 娜|nan 南|ni 倪妮|nian 年|nie 聂聶|ning 宁寧|niu 牛|ou 欧歐|pan 潘
pang 庞龐|pei 裴佩|peng 彭鹏鵬|pi 皮|pin 品|ping 平萍|pu 蒲普浦朴樸|qi 齐齊祁琪奇七启啟企旗
qian 钱錢千前倩|qiang 强強|qiao 乔喬|qin 秦琴勤|qing 青清庆慶晴|qiu 邱秋丘|qu 曲屈|quan 全权權泉
que 阙|ran 冉|rao 饶饒|ren 任仁人|ri 日|rong 荣榮容融|ru 如|ruan 阮|rui 瑞锐|ruo 若
sai 赛|san 三|sang 桑|sha 沙|shan 山珊善陕|shang 尚商上|shao 邵少|she 佘设|shen 沈申深神慎
sheng 盛胜勝生圣聖升|shi 石史施时時世市实實士诗|shou 寿守|shu 舒书書树樹淑|shuang 双雙|shui 水
shun 顺順|si 司斯思四|song 宋松|su 苏蘇素|sui 隋|sun 孙孫|suo 索|ta 塔|tai 泰太台
tan 谭譚谈談檀|tang 唐汤湯堂|tao 陶涛濤|te 特|teng 滕腾騰|tian 田天|tie 铁鐵|ting 婷亭廷
tong 童佟通同彤|tu 涂图|tuo 拓|wan 万萬婉|wang 王汪旺望|wei 魏韦韋卫衛伟偉威维維炜玮|wen 文温溫闻雯
weng 翁|wu 吴吳武伍五|xi 席习習西希喜锡|xia 夏霞|xian 先贤賢显顯县|xiang 向项項祥香翔湘
xiao 萧蕭肖小晓曉笑|xie 谢謝解|xin 辛新欣鑫信心|xing 邢星兴興行|xiong 熊雄|xiu 秀修|xu 徐许許旭
xuan 宣轩軒|xue 薛雪学學|xun 荀训|ya 亚亞雅|yan 严嚴颜顏燕延岩|yang 杨楊阳陽洋扬|yao 姚尧堯耀药
ye 叶葉业業野|yi 易伊义義益怡一毅艺|yin 尹殷银銀印|ying 应應英莹影|yong 永勇雍|you 尤游友有
yu 于余俞虞玉宇瑜雨裕|yuan 袁元源远遠院|yue 岳越月悦|yun 云雲运運|zang 臧|zao 早|ze 泽澤|zeng 曾增
zha 查扎|zhan 詹占战戰展|zhang 张張章|zhao 赵趙召兆|zhe 哲|zhen 甄珍振真镇|zheng 郑鄭正政征
zhi 志智之芝治|zhong 钟鐘中忠仲重|zhou 周州|zhu 朱祝竹珠|zhuang 庄莊|zhuo 卓|zi 子自紫
zong 宗总總|zou 邹鄒|zu 祖|zuo 左
`;

export const HAN_SYLLABLES: ReadonlyMap<string, string> = new Map(
  READINGS.trim()
    .split(/[|\n]/)
    .flatMap((row) => {
      const [syllable = '', characters = ''] = row.split(' ');
      return Array.from(characters, (one) => [one, syllable] as const);
    }),
);
