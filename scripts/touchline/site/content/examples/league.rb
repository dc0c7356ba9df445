require_relative 'touchline'

api = Touchline::Client.new(
  ENV.fetch('TOUCHLINE_BASE_URL'), ENV.fetch('TOUCHLINE_KEY_ID'), ENV.fetch('TOUCHLINE_SECRET')
)

organization = api.get('/v1/ping')['data']['resourceId']
competitions = "/v1/organizations/#{organization}/competitions"
first = { includeDescendants: true, status: 'active', limit: 1 }
competition = api.get(competitions, **first)['data'].first
path = "/v1/tournaments/#{competition['id']}"

puts "#{competition['name']} #{competition['season']}"
api.get("#{path}/standings")['data']['standings'].each do |row|
  puts "#{row['rank']}. #{row['team']['name']}: #{row['points']} points"
end

puts "\nNext matches"
api.get("#{path}/matches", status: 'upcoming', limit: 5)['data'].each do |match|
  puts "#{match['kickoffAt']} #{match['home']['name']} - #{match['away']['name']}"
end

puts "\nTop scorers"
api.get("#{path}/top-scorers", limit: 5)['data'].each do |entry|
  puts "#{entry['rank']}. #{entry['player']['name']}: #{entry['value']}"
end
