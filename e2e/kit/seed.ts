import { randomUUID } from 'node:crypto';
import QRCode from 'qrcode';
import type { Product } from './product.ts';
import { post, type User } from './users.ts';

type Row = { id: number };

/** Fills the screens that a new system shows empty: pictures, documents, messages, refused addresses, rules of the log, the home screen. */
export async function seedAdministration(product: Product, admin: User): Promise<void> {
  const call = (path: string, input: object) => admin.call<Row>(path, { ...input, request_id: randomUUID() });
  async function upload(text: string): Promise<number> {
    const form = new FormData();
    const image = await QRCode.toBuffer(text, { width: 640, margin: 2 });
    form.append('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'code.png');
    return (await post<Row>(product.backOffice, 'file/add', form, admin.token)).id;
  }

  const pictures = await call('rotation_type/add', { name: '首页横幅', remark: '显示在首页顶部，建议上传 3:1 的横幅图片' });
  await call('rotation_type/add', { name: '活动' });
  const jump = { jump_type: 2, jump_address: 'https://example.com/spring?source=home' };
  const spring = { type_id: pictures.id, file_id: await upload('spring'), title: '春季新功能：按地区与时间轮换活码', ...jump };
  await call('rotation/add', { ...spring, description: '一次设置，全国门店使用同一张海报，扫码后进入各自的群。' });
  await call('rotation/add', {
    ...spring,
    file_id: await upload('guide'),
    title: '新手指南',
    jump_type: 1,
    jump_address: '/customer/home',
    enabled: false,
  });
  const help = await call('document_type/add', { name: '帮助中心' });
  const body = '<h2>第一步</h2><p>先在<strong>域名列表</strong>添加域名，再新建活码。</p><ul><li>目标</li><li>轮换</li></ul>';
  await call('document_list/add', { type_id: help.id, title: '如何创建第一个活码', body, enabled: true, cover_id: await upload('cover') });
  await call('document_list/add', {
    type_id: help.id,
    title: '轮换方式说明：顺序、随机、按权重以及达到上限后自动切换的区别',
    body,
    enabled: false,
  });
  await call('message_list/send', {
    title: '系统维护通知',
    content: '系统将于周日 02:00 至 04:00 维护。\n期间扫码不受影响。',
    audience: 'all',
  });
  const lines = ['203.0.113.7', '198.51.100.0/24', '2001:db8::/32'];
  await call('ip_black/add', { lines, remark: '多次尝试登录', expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() });
  const template = JSON.stringify({ 'zh-CN': '{{user.account}} 修改了角色 {{input.name}}' });
  await call('log_config/add', { type: 'role/update', template, remark: '角色修改' });
  await call('home_page_config/update', {
    version: (await admin.call<{ version: number }>('home_page_config/inquire')).version,
    blocks: [
      { kind: 'announcement', title: '公告', enabled: true, body: '<p>欢迎使用，新功能见<a href="https://example.com/">说明</a>。</p>' },
      { kind: 'banner', title: '', enabled: true, rotation_type_id: pictures.id },
      { kind: 'links', title: '常用链接', enabled: true, links: [{ title: '帮助中心', ...jump }] },
    ],
  });
}
