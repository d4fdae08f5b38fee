import { systemOf } from '../../kit/visits/systems.ts';
import { sourceOf, type VisitSource } from './agent-source.ts';
import type { ModelOverrides } from './models.ts';
import { describeModel, plainCode } from './models.ts';

/** What a visit's user agent tells. Texts are empty where it doesn't. */
export type Agent = {
  readonly source: VisitSource;
  /** iOS, Android, HarmonyOS, Windows, Windows Phone, macOS, ChromeOS, KaiOS, Tizen, Linux, other. */
  readonly system: string;
  readonly system_version: string;
  readonly brand: string;
  /** The model's code as the visitor's browser sends it. */
  readonly model: string;
  /** The model's marketing name. */
  readonly model_name: string;
  /** The browser's name, or the app's where the page is shown inside one. */
  readonly browser: string;
  /** A phone or a tablet. */
  readonly is_mobile: boolean;
};

/** No more of a user agent is looked at, which bounds the work; real ones are shorter, the messenger's have about 330 signs. */
export const MAX_AGENT_LENGTH = 1024;
const MAX_FIELD_LENGTH = 64;

/** A field as it may be stored and shown: no control or direction signs (the database refuses NUL), no broken surrogates, no long text. */
function field(text: string): string {
  return text
    .slice(0, MAX_FIELD_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}

/** The text between the first bracket and the one that closes it; models such as `moto g(7)` have brackets of their own. */
function firstBrackets(agent: string): string {
  const open = agent.indexOf('(');
  if (open < 0) return '';
  let depth = 0;
  for (let i = open; i < agent.length; i += 1) {
    if (agent[i] === '(') depth += 1;
    else if (agent[i] === ')') depth -= 1;
    if (depth === 0) return agent.slice(open + 1, i);
  }
  return agent.slice(open + 1);
}

/** Parts between the brackets that are no model: system, locale, kind of device, services. `K` is what Chrome sends in the model's place. */
const NO_MODEL =
  /^(?:Linux.*|U|N|I|wv|K|Mobile|Tablet|Phone|PC|TV|Android.*|HarmonyOS.*|OpenHarmony.*|[a-z]{2,3}(?:[-_]#?[A-Za-z]{2,4}){0,2}|rv:.*|HMSCore.*|GMSCore.*|arm.*|x86.*|Unspecified Device|compatible|Adr .*|Build\/.*|Cronet\/.*|.*:\/\/.*)$/;

/** Weibo's app names maker and code before its mark: `Xiaomi-MI 8__weibo__9.6.1__android__android9`. */
const WEIBO_MODEL = /^(?:[A-Za-z]{2,12}-)?([^_()]{2,40})__weibo__/;

/** The model's code of an Android or HarmonyOS device: what stands before ` Build/`, else the last part that can be one. */
function modelCode(agent: string): string {
  const parts = firstBrackets(agent)
    .split(';')
    .map((part) => part.trim());
  const built = parts.find((part) => part.includes(' Build/'));
  if (built !== undefined) {
    const code = built.slice(0, built.indexOf('Build/')).trim();
    return NO_MODEL.test(code) ? '' : code;
  }
  // Apps that load with Cronet write the build apart: `zh_CN; ELE-AL00; Build/HUAWEIELE-AL00; Cronet/…`.
  if (!parts.some((part) => /^(?:Android|Adr |HarmonyOS|Build\/)/i.test(part))) return WEIBO_MODEL.exec(agent)?.[1] ?? '';
  return parts.find((part) => part !== '' && !NO_MODEL.test(part)) ?? '';
}

const APPLE_MODEL = /\b(?:iPhone|iPad|iPod)\d{1,2},\d{1,2}(?!\d)/;
const APPLE_DEVICE = /\b(?:iPhone|iPad|iPod)\b/;

type Device = Pick<Agent, 'brand' | 'model' | 'model_name'>;

function deviceOf(agent: string, system: string, names: ModelOverrides | undefined): Device {
  if (system === 'macOS') return { brand: 'Apple', model: '', model_name: '' };
  const isApple = system === 'iOS';
  if (!isApple && system !== 'Android' && system !== 'HarmonyOS') return { brand: '', model: '', model_name: '' };
  const sent = isApple ? ((APPLE_MODEL.exec(agent) ?? APPLE_DEVICE.exec(agent))?.[0] ?? '') : modelCode(agent);
  const model = plainCode(field(sent));
  // Huawei's and Honor's codes look alike, but their builds name the maker (`Build/HUAWEIELE-AL00`).
  const { brand, name } = describeModel(model, names);
  const maker =
    name === '' && (brand === '' || brand === 'Huawei' || brand === 'Honor')
      ? (/\b(?:Build\/|FBBD\/)(HUAWEI|HONOR)/.exec(agent)?.[1] ?? '')
      : '';
  const hinted = maker === '' ? (isApple ? 'Apple' : '') : maker === 'HONOR' ? 'Honor' : 'Huawei';
  return { brand: field(hinted || brand), model, model_name: field(name) };
}

const MOBILE_SYSTEMS = new Set(['iOS', 'Android', 'HarmonyOS', 'Windows Phone', 'KaiOS']);
const LARGE_SCREEN = /\((?:PC|TV); |Android TV|SMART-TV|SmartTV/;

/**
 * Reads a user agent; never throws, and does the same bounded work for any text. `names` are the administrators' names for codes.
 * A user agent that is missing is a program's: every browser sends one.
 */
export function describeAgent(userAgent: string, names?: ModelOverrides): Agent {
  const agent = userAgent.slice(0, MAX_AGENT_LENGTH).trim();
  const lower = agent.toLowerCase();
  const { system, version } = systemOf(agent);
  const device = deviceOf(agent, system, names);
  const is_mobile = MOBILE_SYSTEMS.has(system) && !LARGE_SCREEN.test(agent);
  return Object.freeze({ ...sourceOf(agent, lower), system, system_version: field(version), ...device, is_mobile });
}

export type AgentCache = {
  /** As `describeAgent`, remembering what it said. Agents are shared, frozen objects. */
  describe: (userAgent: string) => Agent;
  /** Forgets everything: call it when an administrator named a model. */
  clear: () => void;
  /** The number of user agents remembered, at most the size given. */
  size: () => number;
};

/**
 * A memory of at most `size` user agents for the loader. It has two generations: where the younger is full, it becomes the older and
 * the older is dropped, so that frequent ones stay whatever strange ones pass, without bookkeeping for each question.
 */
export function createAgentCache(size: number, names?: ModelOverrides): AgentCache {
  const generation = Math.max(1, Math.floor(size / 2));
  let young = new Map<string, Agent>();
  let old = new Map<string, Agent>();
  const remember = (key: string, agent: Agent): void => {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(key, agent);
  };
  const describe = (userAgent: string): Agent => {
    const key = userAgent.length > MAX_AGENT_LENGTH ? userAgent.slice(0, MAX_AGENT_LENGTH) : userAgent;
    const known = young.get(key);
    if (known !== undefined) return known;
    const agent = old.get(key) ?? describeAgent(key, names);
    remember(key, agent);
    return agent;
  };
  const clear = (): void => {
    young = new Map();
    old = new Map();
  };
  return { describe, clear, size: () => young.size + old.size };
}
