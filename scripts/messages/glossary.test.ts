import { expect, test } from 'vitest';
import type { Concept } from '../../src/locales/glossary.ts';
import { glossary } from '../../src/locales/glossary.ts';
import { checkWords, readCatalogues } from '../check-messages.ts';
import { checkGlossary } from './glossary.ts';

const visits: Concept = {
  means: 'how many visits there were',
  words: { 'zh-CN': { say: '访问次数', not: ['访问量'] }, 'en-US': { say: 'visits', not: ['hits', /\bpage views?\b/i] } },
};
const faultsOf = (language: string, text: string, concept = visits) =>
  checkGlossary({ [language]: { 'demo.figures.total': text } }, [concept]);

test('the product says one word for one thing, in every language', () => {
  expect(checkWords(readCatalogues())).toEqual([]);
});

test('a refused word is a fault that names file, key, word, and what to say instead', () => {
  expect(faultsOf('zh-CN', '今日访问量')).toEqual([
    'src/locales/zh-CN: demo.figures.total says “访问量”; say 访问次数 (how many visits there were)',
  ]);
  expect(faultsOf('en-US', 'Hits and page views')).toEqual([
    'src/locales/en-US: demo.figures.total says “Hits”; say visits (how many visits there were)',
  ]);
});

test('it is found in every language of its own only, as a whole word where words are spaced, and not in gaps', () => {
  for (const text of ['White', 'Some hits-per-day', '{{hits}} visits', '访问量']) expect(faultsOf('en-US', text)).toEqual([]);
  expect(faultsOf('ja-JP', '访问量')).toEqual([]);
});

test('words of the visitor pages are held to it as well', () => {
  const closed: Concept = { means: 'a code that is off', words: { 'zh-CN': { say: '已关闭', not: ['这个二维码已暂停使用'] } } };
  expect(checkGlossary({ 'zh-CN': { 'visitor_page.refusals.closed.title': '这个二维码已暂停使用' } }, [closed])).toEqual([
    'src/server/redirect/pages/texts.ts: visitor_page.refusals.closed.title says “这个二维码已暂停使用”; say 已关闭 (a code that is off)',
  ]);
});

test('a key whose word means something else is excepted, and an exception that excuses nothing is a fault', () => {
  const excepted = { ...visits, right_in: { 'demo.figures.*': 'hits of a search' } };
  expect(faultsOf('en-US', 'Hits', excepted)).toEqual([]);
  expect(faultsOf('en-US', 'Visits', excepted)).toEqual([
    'src/locales/glossary.ts: demo.figures.* needs no exception (how many visits there were)',
  ]);
});

test('no concept refuses the word that it asks for', () => {
  for (const concept of glossary)
    for (const [language, { say }] of Object.entries(concept.words))
      expect(checkGlossary({ [language]: { say } }, [{ ...concept, right_in: {} }]), `${language}: ${say}`).toEqual([]);
});
