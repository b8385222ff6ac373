import { mount } from 'svelte';
import './parts/locale.js';
import App from './app.svelte';
import './app.css';
import { keepFocus } from './parts/focus.js';
import { titleWhatIsCut } from './parts/titles.js';
import { followSystemTheme } from './parts/theme.svelte.js';

followSystemTheme();
keepFocus();
titleWhatIsCut();
mount(App, { target: document.getElementById('app') as HTMLElement });
