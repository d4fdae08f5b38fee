/** Kinds of role a screen is given to at first start: customer, agent, administrator. */
export type Audience = 'C' | 'G' | 'A';

export type ScreenNode = {
  path: string;
  /** The screen's Chinese name, the node's editable name at first start; its translations stand under `menu.{path}`. */
  name: string;
  area: 'customer' | 'system';
  /** Name of the icon in the web app's icon table. */
  icon: string;
  /** The entry of the menu that it shares with others of its group, whose tabs they are; its words stand under `menu.entry.{entry}`. */
  entry?: string;
  /** The screen of the same entry whose page this route shows, too: who has both finds one of them in the menu. */
  same_as?: string;
  audience: readonly Audience[];
  buttons: readonly string[];
  /** Buttons only administrators hold at first start although customers have the screen. */
  administratorButtons?: readonly string[];
  /** A screen that is opened from another one and has no entry of its own in the menu. */
  hidden?: boolean;
};

export type MenuGroup = { key: string; name: string; icon: string; screens: readonly ScreenNode[] };
