// A diagram of the classes and their links: a class is to the right of those that link to it.

const svg = (name, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

// Returns the column of each class. A link that closes a cycle is ignored.
function columns(names, targets) {
  const column = new Map(names.map((name) => [name, 0]));
  const path = new Set();
  const place = (name, at) => {
    if (path.has(name) || at < column.get(name) || at > names.length) return;
    column.set(name, at);
    path.add(name);
    for (const target of targets(name)) place(target, at + 1);
    path.delete(name);
  };
  const linked = new Set(names.flatMap((name) => targets(name).filter((target) => target !== name)));
  const roots = names.filter((name) => !linked.has(name));
  for (const root of roots.length ? roots : names.slice(0, 1)) place(root, 0);
  return column;
}

// Returns the diagram; null if no class has a link, or if there are too many classes.
export function diagram(classes) {
  const names = classes.map((found) => found.name);
  const links = classes.flatMap((found) => found.attributes
    .filter((attribute) => attribute.target !== null && names.includes(attribute.target))
    .map((attribute) => ({ from: found.name, to: attribute.target, name: attribute.name })));
  if (links.length === 0 || names.length > 40) return null;
  const targets = (name) => [...new Set(links.filter((link) => link.from === name).map((link) => link.to))];
  const column = columns(names, targets);
  const width = (found) => Math.max(found.name.length * 8, 70) + 24;
  const boxes = new Map();
  let x = 8;
  let height = 0;
  for (let index = 0; index <= Math.max(...column.values()); index += 1) {
    const inColumn = classes.filter((found) => column.get(found.name) === index);
    if (inColumn.length === 0) continue;
    inColumn.forEach((found, row) => {
      boxes.set(found.name, { x, y: 8 + row * 62, width: width(found), height: 44, found });
    });
    x += Math.max(...inColumn.map(width)) + 90;
    height = Math.max(height, inColumn.length * 62);
  }
  const arrow = svg('marker', {
    id: 'arrow', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto',
  }, svg('path', { d: 'M0 0 8 4 0 8Z', class: 'arrow' }));
  const lines = links.map(({ from, to, name }) => {
    const [a, b] = [boxes.get(from), boxes.get(to)];
    const title = svg('title', {});
    title.textContent = `${from}.${name} → ${to}`;
    const start = [a.x + a.width, a.y + a.height / 2];
    const isForward = b.x > a.x;
    const end = isForward ? [b.x, b.y + b.height / 2] : [b.x + b.width, b.y + b.height / 2 + 8];
    const bend = isForward ? Math.max(30, (end[0] - start[0]) / 2) : 45;
    const d = `M${start} C${start[0] + bend} ${start[1]} ${end[0] + (isForward ? -bend : bend)} ${end[1]} ${end}`;
    return svg('path', { d, 'marker-end': 'url(#arrow)' }, title);
  });
  const nodes = [...boxes.values()].map(({ x: left, y: top, width: wide, height: high, found }) => {
    const label = svg('text', { x: left + 12, y: top + 19 });
    label.textContent = found.name;
    const count = svg('text', { x: left + 12, y: top + 35, class: 'count' });
    count.textContent = found.isEmbedded ? 'embedded' : found.count.toLocaleString('en');
    const box = svg('rect', {
      x: left, y: top, width: wide, height: high, class: found.isEmbedded ? 'embedded' : '',
    });
    if (found.isEmbedded) return svg('g', {}, box, label, count);
    return svg('a', { href: `#/class/${encodeURIComponent(found.name)}` }, box, label, count);
  });
  return svg('svg', { width: x, height: height + 16, role: 'img', 'aria-label': 'Links between classes' },
    svg('defs', {}, arrow), ...lines, ...nodes);
}
