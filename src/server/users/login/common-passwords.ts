/**
 * Passwords of letters and digits that everybody tries first; sequences, repetitions and keyboard rows are refused by rule, not listed.
 * Compared in lower case.
 */
const listed = new Set(
  `password password1 password12 password123 passw0rd p4ssword pa55word iloveyou iloveyou1 welcome welcome1 welcome123 letmein letmein1
admin123 admin1234 admin12345 admin888 admin666 administrator root123 root1234 toor123 test123 test1234 test12345 testtest tester guest123
user123 user1234 user12345 demo123 demo1234 default changeme changeme1 secret secret1 secret123 login123 master master1 master123
monkey monkey1 dragon dragon1 football football1 baseball baseball1 basketball soccer1 hockey1 superman superman1 batman batman1
sunshine sunshine1 princess princess1 shadow1 michael michael1 jordan jordan23 jennifer jessica ashley ashley1 daniel daniel1
charlie charlie1 thomas1 andrew1 matthew joshua1 robert1 hunter hunter2 killer1 trustno1 starwars pokemon pokemon1 computer computer1
internet samsung samsung1 google google1 google123 facebook whatever freedom freedom1 flower flower1 lovely lovely1 loveyou loveme
forever forever1 angel1 angel123 cookie cookie1 cheese cheese1 summer summer1 summer123 winter winter1 spring1 autumn1 hello1 hello123
hello1234 helloworld abc123 abcd123 abcd1234 abc12345 abc123456 abc1234 a12345 a123456 a1234567 a12345678 a123456789 aa123456 aa12345
aaa111 aaa123 aaa123456 as123456 asd123 asd123456 asdf123 asdf1234 q123456 q1w2e3 q1w2e3r4 q1w2e3r4t5 qq123456 qwe123 qwe123456 qwer123
qwer1234 qwert123 qwerty1 qwerty12 qwerty123 qwerty1234 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx zaq1xsw2 2wsx3edc qazwsx
qazwsx123 qazwsxedc zxc123 zxc123456 zxcv1234 z123456 w123456 wang123 wang1234 zhang123 liu123456 li123456 chen123 woaini woaini123
woaini520 woaini1314 woaini521 wodemima mima123 5201314 520520 1314520 5211314 521521 147258 147258369 159357 147852 258369 789456
789456123 456789 123123 123123123 123321 1234321 123654 123654789 123789 112233 11223344 121212 131313 101010 102030 123qwe 123qweasd
123abc 123456a 1234567a 12345678a 123456789a 123456aa 123456abc 123456q 12345qwert 1234qwer 123asd 123asd123 123654a 147896325
888888a 666666a 111111a 000000a a111111 a000000 a888888 abc888 vip888 vip666 vip123 money123 taobao alipay123 weixin123 wechat123 huoma
huoma123 livecode livecode1 livecode123 qrcode qrcode123 office123 company123 manager1 manager123 service1 system1 system123 server1
server123 oracle1 mysql123 temp123 temp1234 china123 beijing1 shanghai1 tiantang xiaoming xiaoming123 nihao123 aini1314`.split(/\s+/),
);

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** One of the passwords that are tried first: listed, one character or pair repeated, or a run along the alphabet or the keyboard. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  return listed.has(lower) || /^(.{1,3})\1+$/.test(lower) || runs.some((run) => run.includes(lower) || run.repeat(2).includes(lower));
}
