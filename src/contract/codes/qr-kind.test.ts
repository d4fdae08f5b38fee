import { expect, test } from 'vitest';
import { qrKinds, recogniseQr } from './qr-kind.ts';

test.each([
  ['https://weixin.qq.com/g/AwYAAPo3Lu6gqS7yJx', { kind: 'group', app: 'wechat', days: 7 }],
  ['http://weixin.qq.com/g/AVmifqCT4aPyudeJ', { kind: 'group', app: 'wechat', days: 7 }],
  [' HTTPS://WEIXIN.QQ.COM/g/AVmif ', { kind: 'group', app: 'wechat', days: 7 }],
  ['https://u.wechat.com/kIH4NveDHohDupxa5Vl0B3M?s=2', { kind: 'personal', app: 'wechat' }],
  ['http://weixin.qq.com/r/mC1YQK3EDPBzrekj93iK', { kind: 'official', app: 'wechat' }],
  ['https://work.weixin.qq.com/gm/5d8c044c9fe077b444c12a9b29253648', { kind: 'group', app: 'wecom' }],
  ['https://work.weixin.qq.com/u/vc7f073c9f993bc776?v=4.1.20.26620', { kind: 'enterprise', app: 'wecom' }],
  ['https://work.weixin.qq.com/ca/cawcde2ea2a2ac0f1c', { kind: 'enterprise', app: 'wecom' }],
  ['https://work.weixin.qq.com/kfid/kfc2924409ff29a46bb', { kind: 'enterprise', app: 'wecom' }],
  ['https://jq.qq.com/?_wv=1027&k=5WdaKxF', { kind: 'group', app: 'qq' }],
  ['http://qm.qq.com/cgi-bin/qm/qr?k=1PbIl8QPOkF0ErJKX', { kind: 'group', app: 'qq' }],
  ['https://chat.whatsapp.com/GxAbCdEfGhIjKlMnOpQrSt', { kind: 'group', app: 'whatsapp' }],
  ['https://wa.me/qr/ABCDEFGHIJKLM1', { kind: 'personal', app: 'whatsapp' }],
  ['https://t.me/+VGGU8RYVqDo1NTg1', { kind: 'group', app: 'telegram' }],
  ['https://t.me/joinchat/HgrRTQ93gZQPq0XFuWU7ug', { kind: 'group', app: 'telegram' }],
  ['tg://join?invite=AAAAAFEeUU0XAwLFkBxSFw', { kind: 'group', app: 'telegram' }],
  ['https://t.me/+8613800138000', { kind: 'personal', app: 'telegram' }],
  ['https://t.me/durov', { kind: 'personal', app: 'telegram' }],
  ['https://line.me/R/ti/g/abcDEF123', { kind: 'group', app: 'line' }],
  ['https://line.me/ti/g2/UqZ3ywFePcVOcm7rq', { kind: 'group', app: 'line' }],
  ['https://line.me/ti/p/abcDEF', { kind: 'personal', app: 'line' }],
  ['https://line.me/R/ti/p/%40shop', { kind: 'official', app: 'line' }],
  ['https://zalo.me/g/abcdef123', { kind: 'group', app: 'zalo' }],
  ['https://discord.gg/7WkHc7Rt6g', { kind: 'group', app: 'discord' }],
  ['https://example.com/weixin.qq.com/g/AVmif', { kind: 'url' }],
  ['https://weixin.qq.com.evil.example/g/AVmif', { kind: 'url' }],
  ['https://weixin.qq.com/g/', { kind: 'url' }],
  ['wxp://f2f0abcdef', { kind: 'url' }],
  ['example.com/shop', { kind: 'url' }],
  ['weixin.qq.com/g/AVmif', { kind: 'group', app: 'wechat', days: 7 }],
  ['WIFI:S:shop;T:WPA;P:secret;;', { kind: 'text' }],
  ['BEGIN:VCARD\nVERSION:3.0\nEND:VCARD', { kind: 'text' }],
  ['你好', { kind: 'text' }],
  ['', { kind: 'text' }],
  ['https://', { kind: 'text' }],
] as const)('%j is told by its address', (text, recognition) => {
  expect(recogniseQr(text)).toEqual(recognition);
  expect(qrKinds).toContain(recognition.kind);
});

test('no text makes it slow or fail', () => {
  for (const text of [
    'a.'.repeat(50_000),
    `https://${'x'.repeat(100_000)}`,
    '/'.repeat(100_000),
    `https://t.me/+${'1'.repeat(100_000)}`,
    '\u0000',
  ]) {
    recogniseQr(text);
  }
});
