// What the tests ask of the page that shows the notebook; cells are counted as in the file.

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const cell = (index) => all('.jp-Notebook .jp-Cell')[index];
const codeCells = () => all('.jp-Notebook .jp-CodeCell');
const prompt = (element) => element.querySelector('.jp-InputPrompt').textContent;
const prompts = () => codeCells().map(prompt);

// A figure is an object once its cell has run; JupyterLab leaves only the picture within when it does not trust it.
const FIGURE = 'object[type="image/svg+xml"], img[src^="data:image"]';
const figureElements = (inside) =>
  all('.jp-OutputArea-output', inside).flatMap((output) => all(FIGURE, output)).filter((e) => !e.parentElement.closest('object'));

function figures(inside = document) {
  return figureElements(inside).map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const live = element.tagName === 'OBJECT';
    // A browser that cannot draw the object shows the picture within instead.
    const loaded = live
      ? all('img', element).every((inner) => inner.getClientRects().length === 0)
      : element.complete && element.naturalWidth > 0;
    const url = live ? element.data : element.src;
    const bytes = Uint8Array.from(atob(url.split('base64,')[1]), (letter) => letter.charCodeAt(0));
    return { live, loaded, left, top, width, height, svg: new TextDecoder().decode(bytes) };
  });
}

function show(element) {
  element.scrollIntoView({ block: 'center' });
}

function outputs(inside = document) {
  const outputs = all('.jp-OutputArea-output', inside);
  return outputs.map((output) => ({ type: output.dataset.mimeType ?? '', text: output.innerText }));
}

// Puts the cursor into the cell and marks the first `text` in it; false when it is not there.
function mark(index, text) {
  const editor = cell(index).querySelector('.cm-content');
  show(editor);
  editor.focus();
  for (const line of all('.cm-line', editor)) {
    const start = line.textContent.indexOf(text);
    if (start < 0) continue;
    const range = document.createRange();
    range.setStart(...place(line, start));
    range.setEnd(...place(line, start + text.length));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return true;
  }
  return false;
}

function place(line, offset) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  for (; offset > node.length; node = walker.nextNode()) offset -= node.length;
  return [node, offset];
}

// Every visible piece of text with its contrast to what lies behind it, as WCAG counts it.
function contrasts(selector) {
  const found = [];
  for (const block of all(selector)) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !element.getClientRects().length || element.closest('object, .jp-InternalAnchorLink')) continue;
      const ground = behind(element);
      const ink = over(color(getComputedStyle(element).color), ground);
      const [dark, light] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
      found.push({ text: node.data.trim(), ratio: (light + 0.05) / (dark + 0.05) });
    }
  }
  return found;
}

const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
function color(css) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = css;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}

function behind(element) {
  if (!element) return [255, 255, 255, 255];
  const own = color(getComputedStyle(element).backgroundColor);
  return own[3] === 255 ? own : over(own, behind(element.parentElement));
}

const over = (front, back) => [0, 1, 2].map((i) => (front[i] * front[3] + back[i] * (255 - front[3])) / 255).concat(255);
const luminance = (rgba) =>
  [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const c = rgba[i] / 255;
    return sum + weight * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  }, 0);
