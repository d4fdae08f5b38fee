/** Kinds of role a screen is given to at first start: customer, agent, administrator. */
export type Audience = 'C' | 'G' | 'A';

export type ScreenNode = {
  path: string;
  /** The screen's Chinese name, the node's editable name at first start; its translations stand under `menu.{path}`. */
  name: string;
  area: 'customer' | 'system';
  /** Name of the icon in the web app's icon table. */
  icon: string;
  audience: readonly Audience[];
  buttons: readonly string[];
  /** Buttons only administrators hold at first start although customers have the screen. */
  administratorButtons?: readonly string[];
  built: boolean;
  /** A screen that is opened from another one and has no entry of its own in the menu. */
  hidden?: boolean;
};

export type MenuGroup = { key: string; name: string; icon: string; screens: readonly ScreenNode[] };
