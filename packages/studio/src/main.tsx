import { render } from 'preact';
import './style/base.css';
import './style/layout.css';
import './style/controls.css';
import { App } from './panel/app.js';

render(<App />, document.getElementById('studio')!);
