/** Chinese words of firms, longest first, with what they mean. */
const WORDS =
  '股份有限公司 jsc|有限责任公司 llc|有限責任公司 llc|有限公司 llc|株式会社 kabushiki kaisha|公司 company|进出口 import export|進出口 import export|集团 group|集團 group|银行 bank|銀行 bank|国际 international|國際 international|贸易 trade|貿易 trade|商贸 trade|商貿 trade|船务 shipping|船務 shipping|航运 shipping|航運 shipping|海运 shipping|海運 shipping|物流 logistics|运输 transport|運輸 transport|科技 technology|技术 technology|技術 technology|工业 industry|工業 industry|实业 industry|實業 industry|投资 investment|投資 investment|石油 petroleum|化工 chemical|能源 energy|电子 electronics|電子 electronics|工程 engineering|建设 construction|建設 construction|控股 holding|发展 development|發展 development|航空 aviation|大学 university|大學 university|研究院 research institute|研究所 research institute|工厂 factory|工廠 factory|机械 machinery|機械 machinery|矿业 mining|礦業 mining|电力 power|電力 power|服务 services|服務 services|中国 china|中國 china|北京 beijing|上海 shanghai|香港 hong kong'
    .split('|')
    .map((row) => row.split(/ (.{1,40})/) as [string, string]);
const FIRM = /公司|集[团團]|[银銀]行|大[学學]|研究|工[厂廠]|株式会社/;

/** The name of a firm with its common words in English; undefined for what is no firm. */
export function translatedFirm(name: string): string | undefined {
  if (!FIRM.test(name)) return undefined;
  return WORDS.reduce((text, [word, meaning]) => text.replaceAll(word, ` ${meaning} `), name);
}
