// not messages: how the characters of our screens' names are read.

/** Each syllable with the characters that are read so, of those in the names of screens; `pinyin.test.ts` holds that none is missing. */
const readings =
  'an安 bang绑 bao包报 ben本 bi闭 biao表 bo播 bu部步 can餐参 cao操 ce测 cha查 chang常 cheng成程城 chi持 chong充 chu除出处 chuan传 da打 dai代 ' +
  'dan单 dao导盗 de的 deng登 di地 ding定订 duan短段 e额 er二 fa发 fang访 fen分 fu复付服 gai改 gen跟 geng更 gong工 gou购 guan管关 gui归 hao号 he核 hei黑 hu户 ' +
  'huan换 hui恢汇回惠 huo活 ji计集机记 jia加 jian检监建 jiao交脚 jie解截 jin金近 ju据举 jue角 kai开 ke客 kong控 ku库 lan拦 lei类 li理历 lian链 ' +
  'liang量 lie列 ling令 lu录 lun轮 ma码 mai买 man慢 mi密 ming名命 mo默 nei内 pai牌 pei配 pi批 pian片 pin品 ping平 qi器启 qian钱浅 qie切 qu区 ' +
  'quan全券 ren人认 ri日 rong容 ru入 se色 shan删 shang商上 she设 shen审深 sheng生 shi时实史式 shou首收 shu数属 song送 sui随 suo锁 tai台态 tao套 ' +
  'ti提替题 tian添 ting停 tong统 tu图 tui推退 wei维 wen文问 wo我 wu无务 xi析系 xian现线 xin信新 xing型行 xiu修 xun询 yan言 yang样 ye页 yi已易异 ' +
  'yong用 you有优 yu域与余语 yuan员 yun运 zeng赠 zhan站 zheng正 zhang账 zhi置值支志执 zhu主 zhuan转 zhuang状 zi资 zong总 zu组 zui最 zuo作';

const syllables = new Map<string, string>();
for (const [, syllable = '', characters = ''] of readings.matchAll(/([a-z]+)([^a-z ]+)/g)) {
  for (const character of characters) syllables.set(character, syllable);
}
/** People type 角色 both ways. */
const alsoRead: Readonly<Record<string, string>> = { 角: 'jiao' };

/** The syllable of a character; undefined where no name of ours has it. */
export const syllableOf = (character: string): string | undefined => syllables.get(character);

/** A Chinese name as it is typed without an input method: whole syllables, and their first letters. 活码列表: `huomaliebiao`, `hmlb`. */
export function pinyinOf(name: string): string[] {
  const parts = [...name.toLowerCase()].filter((character) => !/\s/.test(character));
  const read = (also: boolean) => parts.map((character) => (also && alsoRead[character]) || (syllables.get(character) ?? character));
  const whole = read(false).join('');
  if (whole === parts.join('')) return [];
  const initials = read(false).map((syllable) => syllable[0]);
  return [...new Set([whole, read(true).join(''), initials.join('')])];
}
