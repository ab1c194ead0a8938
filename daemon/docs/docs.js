/** Search, and the entry of what is being read. Without this script the page is whole, only longer. */

const search = document.getElementById('search');
const nothing = document.getElementById('nothing');
const entries = [...document.querySelectorAll('nav li[data-for]')].map((item) => ({ item, article: document.getElementById(item.dataset.for) }));
const schemas = [...document.querySelectorAll('article.schema')];

/** Each word has to occur somewhere in what is said of an operation. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { item, article } of entries) {
    const isMatch = words.every((word) => article.dataset.search.includes(word));
    item.hidden = article.hidden = !isMatch;
    if (isMatch) found++;
  }
  for (const schema of schemas) schema.hidden = words.length > 0 && !words.every((word) => schema.id.toLowerCase().includes(word));
  for (const section of document.querySelectorAll('nav section:has(li)')) section.hidden = !section.querySelector('li:not([hidden])');
  for (const section of document.querySelectorAll('main section.tag')) section.hidden = !section.querySelector('article:not([hidden])');
  nothing.hidden = found > 0;
}

search.addEventListener('input', filter);

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key === 'Escape' && document.activeElement === search) {
    search.value = '';
    filter();
    search.blur();
  }
  if (event.key === 'Enter' && document.activeElement === search) entries.find(({ item }) => !item.hidden)?.article.scrollIntoView();
});

/** A link to something that the search hides shows it again. */
window.addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) {
    search.value = '';
    filter();
    target.scrollIntoView();
  }
});

/** Moves the list alone: the page stays where its reader is. */
function showEntry(item) {
  const nav = document.querySelector('nav');
  if (item.offsetTop < nav.scrollTop || item.offsetTop + item.offsetHeight > nav.scrollTop + nav.clientHeight) nav.scrollTop = item.offsetTop - nav.clientHeight / 2;
}

const itemOf = new Map(entries.map(({ item, article }) => [article, item]));
let current;

const reading = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    if (!isIntersecting) continue;
    current?.classList.remove('current');
    current = itemOf.get(target);
    current?.classList.add('current');
    if (current) showEntry(current);
  }
}, { rootMargin: '-10% 0px -80% 0px' });
for (const { article } of entries) reading.observe(article);

for (const figure of document.querySelectorAll('figure')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1_500);
  });
  figure.querySelector('figcaption').append(button);
}
