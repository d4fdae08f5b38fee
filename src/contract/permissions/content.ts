import type { MenuGroup } from './node.ts';

const everyone = ['C', 'G', 'A'] as const;
const administrators = ['A'] as const;
const customers = ['C', 'G'] as const;

/** What pages show. */
export const content = {
  key: 'content',
  name: '内容',
  icon: 'picture',
  screens: [
    {
      path: 'image_configs',
      name: '图片库',
      area: 'customer',
      icon: 'picture',
      audience: customers,
      buttons: ['add', 'update', 'remove'],
    },
    {
      path: 'js_config',
      name: '代码片段',
      area: 'customer',
      icon: 'code',
      audience: everyone,
      buttons: ['add', 'update', 'approve', 'remove'],
      administratorButtons: ['approve'],
    },
    {
      path: 'rotation',
      name: '轮播图',
      area: 'system',
      icon: 'picture',
      audience: administrators,
      buttons: ['add', 'update', 'remove'],
    },
    {
      path: 'document_list',
      name: '图文',
      area: 'system',
      icon: 'file',
      audience: administrators,
      buttons: ['add', 'update', 'remove'],
    },
    {
      path: 'home_page_config',
      name: '首页配置',
      area: 'customer',
      icon: 'layout',
      audience: administrators,
      buttons: ['update'],
    },
    {
      path: 'mall_product_list',
      name: '商品',
      area: 'system',
      icon: 'shop',
      entry: 'mall',
      audience: administrators,
      buttons: ['add', 'update', 'sell', 'import', 'export', 'remove'],
    },
    {
      path: 'mall_category_list',
      name: '商品分类',
      area: 'system',
      icon: 'shop',
      entry: 'mall',
      audience: administrators,
      buttons: ['add', 'update', 'remove'],
    },
    {
      path: 'mall_brand_list',
      name: '品牌',
      area: 'system',
      icon: 'shop',
      entry: 'mall',
      audience: administrators,
      buttons: ['add', 'update', 'remove'],
    },
    {
      path: 'language_list',
      name: '语言',
      area: 'system',
      icon: 'language',
      audience: administrators,
      buttons: ['add', 'update', 'texts', 'remove'],
    },
  ],
} as const satisfies MenuGroup;
