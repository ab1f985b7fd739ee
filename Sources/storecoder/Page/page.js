// The page of the inspector. Each view has an address after the #:
//
//     #/                          the classes
//     #/class/Animal?filter=…     the objects of a class, with a condition, an order and an offset
//     #/object/Animal?key=[7]     an object
//     #/edits                     the edits that the server has not confirmed

import { diagram } from './diagram.js';

const pageSize = 100;
const main = document.querySelector('#main');
const status = document.querySelector('#status');
let overview = null;
// Reloads the data of the current view.
let update = async () => true;
let viewNumber = 0;
// The text area of an open editor, and the text that it began with; null if no value is being edited.
let editor = null;

// MARK: - Elements

// Creates an element. Values are only ever text and attributes, so that none of them is interpreted as markup.
function h(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// Shows control characters, which a browser would omit.
const visible = (text) => text.replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, (character) => (
  character === '\u007F' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0))));

const count = (number) => number.toLocaleString('en');

const address = (path, parameters = {}) => {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== 0)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return path + (query ? `?${query}` : '');
};

const classAddress = (name, parameters) => address(`#/class/${encodeURIComponent(name)}`, parameters);

// Returns the address of an object; null for one that cannot be found again.
const objectAddress = (name, key, index) => {
  if (key === null && index === undefined) return null;
  const parameters = key === null ? { index: `${index}` } : { key: JSON.stringify(key) };
  return address(`#/object/${encodeURIComponent(name)}`, parameters);
};

const keyText = (key) => (key === null ? '' : key.map((part) => `${part}`).join(', '));

// True while an element is pressed or a part of the view is selected, which replacing it would undo.
const isBusy = () => isPressed || !getSelection().isCollapsed && main.contains(getSelection().anchorNode);
let isPressed = false;
addEventListener('pointerdown', () => { isPressed = true; });
for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, () => { isPressed = false; });

// What tells an element from others of a view: the object that it leads to, or its name and text.
const identity = (element) => element.id || element.getAttribute('href') || element.dataset.href
  || `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;

// Replaces the content of an element, and keeps its scrolling and the focus.
function replace(container, ...children) {
  const focused = container.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = () => [...container.querySelectorAll('.scroll')];
  const places = scrolled().map(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }));
  container.replaceChildren(...children);
  scrolled().forEach((element, place) => Object.assign(element, places[place]));
  if (focused === null) return;
  const candidates = [...container.querySelectorAll(focused.tagName)];
  candidates.find((element) => identity(element) === identity(focused))?.focus({ preventScroll: true });
}

// Returns a function that draws data unless it is that of the last call. It returns false if the view is busy.
function unlessSame(draw) {
  let former;
  return (data) => {
    const text = JSON.stringify(data);
    if (text === former) return true;
    if (former !== undefined && isBusy()) return false;
    draw(data);
    former = text;
    return true;
  };
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// MARK: - Requests

async function request(path, parameters, body) {
  const response = await fetch(address(`api/${path}`, parameters), body === undefined ? {} : {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body,
  });
  if (!(response.headers.get('Content-Type') ?? '').startsWith('application/json')) {
    throw new Error('The command was started again. Open the address that it has printed.');
  }
  const data = await response.json();
  if (data.error !== undefined) throw new Error(data.error);
  return data;
}

// MARK: - Values

const more = (value, shown) => (
  value.count > shown ? h('span', { class: 'note' }, ` … ${count(value.count)} in all`) : null);

const linkText = ({ link, key }) => visible(`${link} ${keyText(key)}`.trim());

function linkElement(value) {
  const text = linkText(value);
  const target = objectAddress(value.link, value.key);
  return target === null ? h('bdi', {}, text) : h('a', { href: target }, h('bdi', {}, text));
}

// Shows a value, on one line unless all of it is wanted.
function valueElement(value, isWhole = false) {
  if (value === null) return h('span', { class: 'null' }, 'null');
  if (typeof value === 'string') return h('bdi', {}, visible(value));
  if (typeof value !== 'object') return h('span', {}, `${value}`);
  if (value.number !== undefined) return h('span', {}, value.number);
  if (value.text !== undefined) return h('span', {}, h('bdi', {}, visible(value.text)), more(value, value.text.length));
  if (value.json !== undefined) return h('span', {}, h('code', {}, visible(value.json)), more(value, value.json.length));
  if (value.link !== undefined) return linkElement(value);
  if (value.embedded !== undefined) {
    const members = Object.entries(value.values);
    if (isWhole) return table(members.map(([name, member]) => [name, valueElement(member, true)]));
    return h('span', {}, members.flatMap(([name, member], index) => [
      h('span', { class: 'note' }, `${index > 0 ? ', ' : ''}${visible(name)} `), valueElement(member)]));
  }
  const entries = value.map ?? value.list.map((element) => [null, element]);
  const parts = entries.map(([name, element]) => [
    name === null ? null : h('span', { class: 'note' }, `${visible(name)}: `), valueElement(element, isWhole)]);
  if (entries.length === 0) return h('span', { class: 'null' }, 'empty');
  if (isWhole) return h('div', {}, h('ul', {}, parts.map((part) => h('li', {}, part))), more(value, entries.length));
  return h('span', {}, parts.flatMap((part, index) => (index > 0 ? ['; ', ...part] : part)), more(value, entries.length));
}

const table = (rows) => h('table', {}, h('tbody', {}, rows.map(([name, ...cells]) => (
  h('tr', {}, h('th', { scope: 'row' }, visible(name)), cells.map((cell) => h('td', {}, cell)))))));

// Shows an attribute of an object: unknown, edited, or just its value.
function attributeElement(object, name, isWhole) {
  if (object.unknown.includes(name)) return h('span', { class: 'unknown' }, 'unknown');
  const element = valueElement(object.values[name], isWhole);
  if (object.edited.includes(name)) element.classList.add('edited');
  return element;
}

// The buttons to the previous and next page of a list, and the part that is shown.
function pages(data, noun, go) {
  const { offset } = data;
  const end = Math.min(offset + pageSize, data.count);
  return h('div', { class: 'pages' },
    h('button', { id: 'previous', disabled: offset === 0, onclick: () => go({ offset: Math.max(0, offset - pageSize) }) }, 'Previous'),
    h('button', { id: 'next', disabled: end >= data.count, onclick: () => go({ offset: offset + pageSize }) }, 'Next'),
    h('span', { class: 'note' }, data.count === 0
      ? `0 ${noun}` : `${count(offset + 1)} – ${count(end)} of ${count(data.count)}`));
}

// MARK: - Views

async function showClasses() {
  const draw = unlessSame(() => {
    const picture = diagram(overview.classes);
    replace(main,
      h('h1', {}, visible(overview.name)),
      picture === null ? '' : h('div', { class: 'diagram' }, picture),
      overview.classes.length === 0
        ? h('p', { class: 'note' }, 'The store has no classes.')
        : h('div', { class: 'scroll' }, h('table', {},
          h('thead', {}, h('tr', {}, ['class', 'objects', 'key', 'attributes'].map((name) => (
            h('th', { scope: 'col', class: name === 'objects' ? 'number' : null }, name))))),
          h('tbody', {}, overview.classes.map((found) => h('tr', { tabindex: found.isEmbedded ? null : '-1' },
            h('td', {}, found.isEmbedded
              ? visible(found.name) : h('a', { href: classAddress(found.name) }, visible(found.name))),
            h('td', { class: 'number' }, found.isEmbedded ? h('span', { class: 'note' }, 'embedded') : count(found.count)),
            h('td', {}, visible(found.key.join(', '))),
            h('td', {}, found.attributes.map(({ name, type }) => [
              h('span', {}, visible(name)), h('span', { class: 'note' }, ` ${visible(type)}  `)]))))))));
  });
  draw(overview);
  return async () => draw(overview);
}

async function showClass([name], parameters, isCurrent) {
  const found = overview.classes.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`There is no class '${name}'.`);
  let offset = Number(parameters.get('offset') ?? 0) || 0;
  const sort = parameters.get('sort') ?? '';
  const descending = parameters.get('descending') ?? '';
  const filter = parameters.get('filter') ?? '';
  const input = h('input', {
    type: 'search', value: filter, placeholder: 'a condition: age > 3 AND name BEGINSWITH "B"', 'aria-label': 'Condition',
    spellcheck: 'false', autocomplete: 'off', id: 'filter',
  });
  const go = (changes) => {
    location.hash = classAddress(name, { filter: input.value.trim(), sort, descending, ...changes });
  };
  const form = h('form', {
    class: 'filter',
    onsubmit: (event) => {
      event.preventDefault();
      go({});
    },
  }, input, h('button', {}, 'Filter'));
  const result = h('div', {});
  let former = new Map();
  const draw = unlessSame((data) => {
    if (data.error !== undefined) {
      result.replaceChildren(h('p', { class: 'error', role: 'alert' }, data.error));
      return;
    }
    // The last page may have gone.
    ({ offset } = data);
    const texts = new Map();
    const head = found.attributes.map((attribute) => {
      const order = sort !== attribute.name ? 'none' : descending ? 'descending' : 'ascending';
      const title = visible(attribute.name) + (order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : '');
      const next = { sort: order === 'descending' ? '' : attribute.name, descending: order === 'ascending' ? '1' : '' };
      return h('th', { scope: 'col', 'aria-sort': order, class: attribute.isNumeric ? 'number' : null, title: attribute.type },
        attribute.isSortable ? h('button', { type: 'button', onclick: () => go(next) }, title) : title);
    });
    const rows = data.objects.map((object) => {
      const target = objectAddress(object.class, object.key, object.index);
      const cells = found.attributes.map((attribute, index) => {
        const cell = h('td', { class: attribute.isNumeric ? 'number' : null }, attributeElement(object, attribute.name));
        const place = `${JSON.stringify(object.key ?? object.index)} ${index}`;
        texts.set(place, cell.textContent);
        if (former.has(place) && former.get(place) !== cell.textContent) cell.classList.add('changed');
        if (attribute.name === found.key[0] && target !== null) cell.replaceChildren(h('a', { href: target }, ...cell.childNodes));
        return cell;
      });
      if (found.key.length === 0 && target !== null) cells.unshift(h('td', {}, h('a', { href: target }, `${object.index}`)));
      const open = (event) => {
        if (event.target.closest('a') === null && getSelection().isCollapsed) location.hash = target;
      };
      return h('tr', { tabindex: '-1', 'data-href': target, onclick: target === null ? null : open }, cells);
    });
    if (found.key.length === 0 && rows.some((row) => row.dataset.href !== undefined)) head.unshift(h('th', { scope: 'col' }, '#'));
    former = texts;
    replace(result,
      rows.length === 0
        ? h('p', { class: 'note' }, filter ? 'No object meets the condition.' : 'The class has no objects.')
        : h('div', { class: 'scroll rows' }, h('table', {}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows))),
      pages(data, 'objects', go));
  });
  const load = async () => {
    const data = await request('objects', { class: name, filter, sort, descending, offset, limit: pageSize })
      .catch(({ message }) => ({ error: message }));
    return !isCurrent() || draw(data);
  };
  main.replaceChildren(h('h1', {}, visible(name)), form, result);
  await load();
  return load;
}

async function showObject([name], parameters, isCurrent) {
  const place = { class: name, key: parameters.get('key'), index: parameters.get('index') };
  const found = overview.classes.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`There is no class '${name}'.`);
  const change = async (path, body, parts = {}) => {
    try {
      await request(path, { ...place, ...parts }, body);
      editor = null;
      if (path === 'delete') location.hash = classAddress(name);
      else await load(true);
    } catch (error) {
      main.querySelector('#problem').textContent = error.message;
    }
  };
  const editorElement = (attribute, value) => {
    const string = value?.text ?? value;
    // A text area has no carriage returns.
    const isText = attribute.type.startsWith('String') && !(string ?? '').includes('\r');
    const text = value === null ? '' : isText ? string : value.json ?? value.number ?? JSON.stringify(string);
    const area = h('textarea', { 'aria-label': attribute.name, placeholder: value === null ? 'null' : null }, text);
    editor = { area, text: area.value };
    const cancel = () => { editor = null; load(true); };
    const set = (json) => change('update', json, { attribute: attribute.name });
    // Quotes may be left out, except where any JSON is a value.
    const json = () => (isText || !attribute.type.startsWith('JSON') && !isJSON(area.value)
      ? JSON.stringify(area.value) : area.value);
    const save = () => (area.value === text ? cancel() : set(json()));
    return h('div', { class: 'editor' }, area, h('button', { onclick: save }, 'Save'),
      isText && value === null ? h('button', { onclick: () => set('""') }, 'Set to ""') : null,
      attribute.type.endsWith('?') ? h('button', { onclick: () => set('null') }, 'Set to null') : null,
      h('button', { onclick: cancel }, 'Cancel'));
  };
  const draw = (data) => {
    if (data.error !== undefined) {
      main.replaceChildren(h('h1', {}, visible(name)), h('p', { class: 'error', role: 'alert' }, data.error));
      return;
    }
    const { object } = data;
    const canChange = overview.isWritable && object.key !== null;
    const rows = found.attributes.filter((attribute) => attribute.name in object.values).map((attribute) => {
      const value = attributeElement(object, attribute.name, true);
      const cell = h('div', {}, value);
      // Saving the beginning of a value would lose the rest.
      const isWhole = (object.values[attribute.name]?.text ?? object.values[attribute.name]?.json ?? '').length
        === (object.values[attribute.name]?.count ?? 0);
      const isEditable = canChange && attribute.isValue && isWhole && !found.key.includes(attribute.name);
      const button = isEditable ? h('button', {
        'aria-label': `Edit ${visible(attribute.name)}`,
        onclick: () => {
          if (editor === null) cell.replaceChildren(editorElement(attribute, object.values[attribute.name]));
          editor.area.focus();
        },
      }, 'Edit') : null;
      return [attribute.name, cell, h('span', { class: 'note type' }, visible(attribute.type)), button];
    });
    replace(main,
      h('h1', {}, h('a', { href: classAddress(name) }, visible(name)), ` ${visible(keyText(object.key))} `,
        object.state === 'clean' ? null : h('span', { class: 'edited' }, object.state)),
      h('p', { id: 'problem', class: 'error', role: 'alert' }),
      h('div', { class: 'object' }, table(rows)),
      canChange ? h('p', {}, h('button', {
        onclick: () => { if (confirm('Delete this object?')) change('delete', '{}'); },
      }, 'Delete')) : '',
      h('h2', {}, 'Linked from'),
      data.inverse.length === 0 ? h('p', { class: 'note' }, 'No object links to it.')
        : h('div', { class: 'object' }, table(data.inverse.map((link) => [
          `${link.class}.${link.path}`,
          h('span', {}, link.objects.flatMap((from, index) => (index > 0 ? [', ', linkElement(from)] : [linkElement(from)])),
            more(link, link.objects.length))]))));
  };
  let drawChanged = unlessSame(draw);
  const load = async (isForced = false) => {
    if (editor !== null) return true;
    const data = await request('object', place).catch(({ message }) => ({ error: message }));
    if (!isCurrent() || editor !== null) return true;
    if (isForced) drawChanged = unlessSame(draw);
    return drawChanged(data);
  };
  await load();
  return () => load();
}

async function showEdits(_, parameters, isCurrent) {
  let offset = Number(parameters.get('offset') ?? 0) || 0;
  const draw = unlessSame((data) => {
    const { edits } = data;
    ({ offset } = data);
    replace(main,
      h('h1', {}, 'Edits'),
      edits.length === 0 ? h('p', { class: 'note' }, 'The server has everything.')
        : h('div', { class: 'scroll' }, h('table', {},
          h('thead', {}, h('tr', {}, ['object', 'edit', 'attribute', 'server', 'local'].map((title) => h('th', { scope: 'col' }, title)))),
          h('tbody', {}, edits.flatMap((edit) => editRows(edit))))),
      edits.length === 0 ? '' : pages(data, 'edits', (place) => { location.hash = address('#/edits', place); }));
  });
  const load = async () => {
    const data = await request('edits', { offset, limit: pageSize });
    return !isCurrent() || draw(data);
  };
  await load();
  return load;
}

function editRows({ object, edit, isInFlight, rejection }) {
  const kind = [edit.kind, isInFlight ? 'in flight' : null, rejection === null ? null : `rejected: ${rejection}`]
    .filter((text) => text !== null).join(', ');
  const attributes = edit.attributes.length === 0 ? [null] : edit.attributes;
  return attributes.map((attribute, index) => h('tr', {},
    h('td', {}, index > 0 ? '' : edit.kind === 'deleted' ? h('bdi', {}, linkText(object)) : linkElement(object)),
    h('td', {}, index > 0 ? '' : h('bdi', {}, visible(kind))),
    h('td', {}, attribute === null ? '' : visible(attribute.name)),
    h('td', {}, attribute === null || edit.kind === 'created' ? '' : attribute.isKnown
      ? valueElement(attribute.server) : h('span', { class: 'unknown' }, 'unknown')),
    h('td', { class: attribute === null ? null : 'edited' }, attribute === null ? '' : valueElement(attribute.local))));
}

// MARK: - Navigation

function showNavigation(current) {
  document.querySelector('#name').textContent = visible(overview.name.split('/').pop());
  document.title = `${visible(overview.name.split('/').pop())} – StoreCoder`;
  document.querySelector('#edits').textContent = overview.editCount === 0 ? 'Edits' : `Edits (${count(overview.editCount)})`;
  replace(document.querySelector('#classes'), ...overview.classes.filter((found) => !found.isEmbedded)
    .map((found) => h('a', { href: classAddress(found.name), 'aria-current': found.name === current ? 'page' : null },
      visible(found.name), h('span', {}, count(found.count)))));
}

const views = { '': showClasses, class: showClass, object: showObject, edits: showEdits };

const route = () => {
  const [path, query] = location.hash.slice(1).split('?');
  const parts = path.split('/').filter((part) => part !== '').map(decodeURIComponent);
  return { view: parts[0] ?? '', names: parts.slice(1), parameters: new URLSearchParams((query ?? '').replaceAll('+', '%2B')) };
};

async function show() {
  viewNumber += 1;
  const number = viewNumber;
  const isCurrent = () => number === viewNumber;
  editor = null;
  update = async () => true;
  try {
    const { view, names, parameters } = route();
    overview = await request('store');
    if (!isCurrent()) return;
    showNavigation(names[0]);
    if (!Object.hasOwn(views, view)) throw new Error('There is no such page.');
    const reload = await views[view](names, parameters, isCurrent);
    if (isCurrent()) update = reload;
  } catch (error) {
    if (isCurrent()) main.replaceChildren(h('p', { class: 'error', role: 'alert' }, error.message));
  }
  document.documentElement.dataset.view = `${number}`;
}

// The address that is shown, and the scrolling of those that were shown before.
let shown = location.hash;
const scrolling = new Map();
const hasChanges = () => editor !== null && editor.area.value !== editor.text;

window.addEventListener('hashchange', () => {
  if (location.hash === shown) return;
  if (hasChanges() && !confirm('Discard the change?')) {
    history.replaceState(null, '', shown || '#');
    return;
  }
  scrolling.set(shown, scrollY);
  shown = location.hash;
  show().then(() => { main.focus({ preventScroll: true }); scrollTo(0, scrolling.get(shown) ?? 0); });
});

window.addEventListener('beforeunload', (event) => { if (hasChanges()) event.preventDefault(); });

// Looks for commits, and reloads the data of the view after one.
async function follow(former) {
  let version = former;
  try {
    if (former === null || !document.hidden) {
      const { version: newest, notice } = await request('version');
      let isShown = true;
      if (newest !== former && former !== null) {
        isShown = !isBusy();
        if (isShown) {
          overview = await request('store');
          showNavigation(route().names[0]);
          isShown = await update();
        }
      }
      if (isShown) version = newest;
      status.textContent = isShown || isPressed ? notice ?? '' : 'New commits are shown when nothing is selected.';
    }
  } catch (error) {
    status.textContent = error instanceof TypeError ? 'The command has ended.' : error.message;
  }
  setTimeout(() => follow(version), 500);
}

document.querySelector('#keys').addEventListener('click', () => document.querySelector('#help').showModal());

function moveFocus(step) {
  const rows = [...main.querySelectorAll('tbody tr[tabindex]')];
  if (rows.length === 0) return;
  const index = rows.indexOf(document.activeElement);
  rows[Math.max(0, Math.min(rows.length - 1, index < 0 ? 0 : index + step))].focus();
}

const actions = {
  '/': () => main.querySelector('#filter')?.focus(),
  j: () => moveFocus(1), ArrowDown: () => moveFocus(1), k: () => moveFocus(-1), ArrowUp: () => moveFocus(-1),
  Enter: () => {
    const row = document.activeElement;
    if (row.tagName === 'TR') row.querySelector('a')?.click();
  },
  n: () => main.querySelector('#next')?.click(), p: () => main.querySelector('#previous')?.click(),
  g: () => { location.hash = '#/'; }, e: () => { location.hash = '#/edits'; }, b: () => history.back(),
  '?': () => document.querySelector('#help').showModal(),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const isTyping = ['INPUT', 'TEXTAREA'].includes(event.target.tagName);
  if (isTyping) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === 'Enter' && event.target.tagName !== 'TR') return;
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
});

show();
follow(null);
