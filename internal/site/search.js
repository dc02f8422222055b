// The search: every word must begin a word of a place; headings count more than text.
const query = document.getElementById("query");
const results = document.getElementById("results");
const up = document.body.dataset.up;
const pages = document.querySelector("nav.pages details");
if (window.matchMedia("(min-width: 60rem)").matches) pages.open = true;

for (const p of places) {
  p.title = (p.p + " " + p.t).toLowerCase();
  p.text = p.x.toLowerCase();
}

function score(p, words) {
  let sum = 0;
  for (const w of words) {
    const start = new RegExp("(^|[^a-z0-9])" + w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const inTitle = start.test(p.title);
    const at = p.text.search(start);
    if (!inTitle && at < 0) return 0;
    sum += (inTitle ? 10 : 0) + (at >= 0 ? 1 : 0);
  }
  return sum;
}

function excerpt(p, word) {
  const at = Math.max(0, p.text.indexOf(word) - 60);
  return (at > 0 ? "… " : "") + p.x.slice(at, at + 160) + (at + 160 < p.x.length ? " …" : "");
}

function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.replaceChildren();
  results.hidden = words.length === 0;
  if (results.hidden) return;
  const hits = places.map(p => [score(p, words), p]).filter(h => h[0] > 0);
  hits.sort((a, b) => b[0] - a[0]);
  const count = document.createElement("p");
  count.textContent = hits.length === 0 ? "Nothing found" : hits.length + (hits.length === 1 ? " place" : " places");
  results.append(count);
  for (const [, p] of hits.slice(0, 20)) {
    const a = document.createElement("a");
    a.href = up + p.u;
    const title = document.createElement("strong");
    title.textContent = p.p === p.t ? p.p : p.p + " › " + p.t;
    const text = document.createElement("span");
    text.textContent = excerpt(p, words[0]);
    a.append(title, text);
    results.append(a);
  }
}

query.addEventListener("input", show);
query.addEventListener("keydown", e => {
  if (e.key === "Escape") { query.value = ""; show(); }
  if (e.key === "Enter") results.querySelector("a")?.click();
});
results.addEventListener("click", () => { results.hidden = true; });
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== query) { e.preventDefault(); query.focus(); }
});
