/** Scenes for `betwixt/react`, which run on `@react-three/rapier`, too. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './page.js';

const element = document.querySelector('#page');
if (element === null) throw new Error('this page has no element #page');
createRoot(element).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
