'use strict'

// What the search finds: parts of pages by whole words, in any of their forms and
// under the names that readers bring along. The beginning of a word is enough for
// the last one, which may still be written.
const Find = (() => {
  // Words that stand for each other, a group a line.
  const synonyms = [
    'pagination paginate paging page cursor offset',
    'webhook push notification callback subscribe sns poll polling',
    'stream websocket sse realtime live ticker',
    'sandbox demo playground trial test testing environment try made',
    'image picture photo logo avatar',
    'fixture schedule calendar ical ics match game result',
    'scorer goalscorer goal',
    'table standings ranking league',
    'competition tournament league cup',
    'roster squad lineup player',
    'throttle throttling rate limit',
    'auth authentication authenticate login signing hmac signature signed',
    'token apikey credential password key secret',
    'sdk library client kit package',
    'openapi swagger',
    'sync synchronize replicate mirror copy export dump backup',
    'permission scope forbidden role',
    'timezone time date utc',
    'booking yellow red card',
    'changelog release version change deprecation breaking',
    'sort order',
    'query parameter filter',
    'gzip compression compressed',
    'cors browser',
    'nonce replay',
    'shell bash curl',
    'address ip allowlist whitelist',
    'gdpr privacy erase erasure deletion delete',
    'php wordpress drupal laravel',
    'clock skew drift'
  ]
  // Words that say nothing where there are others.
  const idle = new Set('a an and are at by can do does for from get how i in is it list my next of on or s the this to what when which with'.split(' '))

  const words = (text) => text.toLowerCase().replace(/line-ups?/g, 'lineup').split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const camel = (text) => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

  // stem is what the forms of a word share.
  const stem = (word) => {
    if (word.length < 4) return word
    const single = word.replace(/ies$/, 'y').replace(/(ss|x|ch|sh)es$/, '$1').replace(/([^su])s$/, '$1')
    const bare = single.replace(/(?<=[aeiouy].+)(ing|ed)$/, '').replace(/(?<=...)e$/, '')
    return bare.replace(/([^aeiou])\1$/, '$1')
  }
  const stems = (text) => new Set(words(text).map(stem))

  const alike = new Map()
  for (const group of synonyms.map((text) => [...stems(text)])) {
    for (const one of group) alike.set(one, [...(alike.get(one) ?? []), ...group.filter((other) => other !== one)])
  }

  const known = new WeakMap()
  // parts are an entry's stems, by how much they say about it: its title, the name
  // in its link (such as listTournamentTopScorers), its page, its text.
  const parts = (entry) => {
    if (!known.has(entry)) {
      const name = camel(decodeURIComponent(entry.link.split('#')[1] ?? ''))
      const telling = words(camel(entry.title)).filter((word) => !idle.has(word)).length
      known.set(entry, [
        { worth: 10 + 4 / Math.max(1, telling), held: stems(entry.title + ' ' + camel(entry.title)) }, { worth: 10, held: stems(name) },
        { worth: 5, held: stems(entry.page) }, { worth: 2, held: stems(entry.text + ' ' + camel(entry.text)) }
      ])
    }
    return known.get(entry)
  }

  const best = (entry, fits) => Math.max(0, ...parts(entry).filter((p) => fits(p.held)).map((p) => p.worth))

  // worth is how well an entry fits a word; 0: it does not have it.
  const worth = (entry, word, last) => {
    const root = stem(word)
    const exact = best(entry, (held) => held.has(root))
    const other = Math.max(0, ...(alike.get(root) ?? []).map((s) => best(entry, (held) => held.has(s)))) * 0.7
    const begun = last && word.length > 1 ? best(entry, (held) => [...held].some((s) => s.startsWith(word))) * 0.5 : 0
    const fit = Math.max(exact, other, begun)
    return fit > 5 && word.endsWith('s') && /#list[A-Z]/.test(entry.link) ? fit + 3 : fit // several are asked for
  }

  // find gives the entries that have most of the words, the best ones first.
  const find = (index, text, most) => {
    const all = words(text)
    const telling = all.filter((word) => !idle.has(word))
    const asked = telling.length > 0 ? telling : all
    const found = index.map((entry) => {
      const each = asked.map((word, at) => worth(entry, word, at === asked.length - 1))
      return { entry, had: each.filter((w) => w > 0).length, score: each.reduce((a, b) => a + b, 0) }
    })
    const had = Math.max(0, ...found.map((f) => f.had))
    return had === 0 ? [] : found.filter((f) => f.had === had).sort((a, b) => b.score - a.score).slice(0, most).map((f) => f.entry)
  }

  // place is the piece of an entry's text around the first word that was asked for, or what
  // stands for it; its beginning where the text has none.
  const place = (entry, asked) => {
    const all = words(asked)
    const wanted = new Set(all.filter((word) => !idle.has(word)).map(stem).flatMap((s) => [s, ...(alike.get(s) ?? [])]))
    const begun = all.at(-1) ?? ''
    const fits = (word) => wanted.has(stem(word)) || (begun.length > 1 && !idle.has(begun) && word.startsWith(begun))
    const found = [...entry.text.matchAll(/[\p{L}\p{N}-]+/gu)].find(([word]) => words(word + ' ' + camel(word)).some(fits))
    const from = found && found.index > 60 ? entry.text.lastIndexOf(' ', found.index - 40) + 1 : 0
    return (from > 0 ? '… ' : '') + entry.text.slice(from, from + 160) + (from + 160 < entry.text.length ? ' …' : '')
  }

  return { find, place, words }
})()
if (typeof module === 'object') module.exports = Find
