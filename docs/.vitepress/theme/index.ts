import type { Theme } from 'vitepress';
// Without the fonts that come with the theme: those of the system need no request.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default { extends: DefaultTheme } satisfies Theme;
