// Elements and texts. Text becomes text: nothing in the data is read as HTML.
const $ = (id) => document.getElementById(id);

function put(to, children) {
  for (const child of [children].flat(9)) {
    if (child === null || child === undefined || child === '') continue;
    to.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return to;
}

function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on') made.addEventListener('click', value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  return put(made, children);
}

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return put(made, children);
}

// The policy forbids style attributes; properties set by the script are allowed.
function placed(element, properties) {
  Object.assign(element.style, properties);
  return element;
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return '\u2013';
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h ${two((seconds % 3600) / 60)} m`;
  return `${Math.floor(seconds / 86400)}d ${two((seconds % 86400) / 3600)} h`;
}

function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; bytes >= 1000 && unit < 4; ++unit) bytes /= 1000;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function cost(usd, tokens) {
  if (usd > 0) return usd < 0.01 ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`;
  return tokens > 0 ? `${tokens.toLocaleString('en')} tokens` : '';
}

const count = (number, thing) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;

function moment(at, seconds = false) {
  if (at === null || at === undefined) return 'unknown';
  const date = new Date(data.zero + at);
  const two = (number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}` +
    (seconds ? `:${two(date.getSeconds())}` : '');
}

function state(name, words = '') {
  const [symbol, word, color] = states[name] || states.unknown;
  return el('span', {class: `state ${color}`}, el('span', {'aria-hidden': 'true'}, symbol), ' ',
    words || word);
}

const tag = (words, color) => el('span', {class: `tag ${color}`}, words);
