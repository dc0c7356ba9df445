'use strict'

// What the service refuses in the query of a request, by the parameters of its route.
const Query = (() => {
  const fits = {
    integer: (p, value) => /^(0|[1-9][0-9]{0,8})$/.test(value) && +value >= p.min && +value <= p.max,
    boolean: (_, value) => value === 'true' || value === 'false',
    enum: (p, value) => p.enum.includes(value),
    identifier: () => true,
    instant: (p, value) => {
      const day = new Date(value.slice(0, 10) + 'T00:00Z')
      return new RegExp(p.pattern).test(value) && !isNaN(day) && day.toISOString().startsWith(value.slice(0, 10))
    }
  }

  // moment is the time of a bound: a date in to is its end, and what has no offset is UTC.
  const moment = (name, value) => {
    const [day, clock = name === 'to' ? '23:59:59.999' : '00:00'] = value.split('T')
    return Date.parse(`${day}T${clock}${/Z|[+-]/.test(clock) ? '' : 'Z'}`)
  }

  // check gives lines {word, says} about the query of a target, whose escapes are
  // well-formed; none where it may be asked.
  function check (target, routes) {
    const at = target.indexOf('?')
    const path = at < 0 ? target : target.slice(0, at)
    const route = routes.find((r) => new RegExp(r.path).test(path))
    const wrong = (says) => ({ word: 'wrong', says })
    if (!route) return [wrong('there is no such path')]
    const seen = new Map()
    const lines = []
    for (const part of at < 0 ? [] : target.slice(at + 1).split('&')) {
      if (part === '') continue
      const [name, value] = /^([^=]*)=?(.*)$/s.exec(part).slice(1).map((text) => {
        try { return decodeURIComponent(text) } catch { return text }
      })
      const p = route.parameters.find((one) => one.name === name)
      if (!p) lines.push(wrong(`the route has no parameter ${name}: it has ${route.parameters.map((one) => one.name).join(', ') || 'none'}`))
      else if (seen.has(name)) lines.push(wrong(`the parameter ${name} is there more than once`))
      else if (value === '' || !fits[p.form](p, value)) lines.push(wrong(`the parameter ${name} takes ${p.takes}`))
      seen.set(name, value)
    }
    if (lines.length) return lines
    if (seen.has('from') && seen.has('to') && moment('from', seen.get('from')) > moment('to', seen.get('to'))) lines.push(wrong('from is later than to'))
    const or = (name) => +(seen.get(name) ?? route.parameters.find((one) => one.name === name)?.default)
    if (or('page') * or('limit') > route.window) lines.push(wrong(`page times limit is above ${route.window}, where the pages of this list end`))
    return lines
  }

  return { check }
})()
if (typeof module === 'object') module.exports = Query
