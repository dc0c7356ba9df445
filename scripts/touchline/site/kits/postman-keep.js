// Keeps the ids in an answer for the requests that follow: ping has the
// organization's, each list that of its first item.
pm.test('is answered with 200', () => pm.response.to.have.status(200))
if (pm.response.code === 200) {
  const { data } = pm.response.json()
  const list = pm.variables.replaceIn(pm.request.url.getPath()).split('/').pop()
  const variable = { competitions: 'competitionId', matches: 'matchId', teams: 'teamId', players: 'playerId' }[list]
  if (data.resourceId) pm.collectionVariables.set('organizationId', data.resourceId)
  if (variable && data.length) pm.collectionVariables.set(variable, data[0].id)
}
